import { granted } from "@/cli/tpp/reply";
import { bankDayAt, later, startOfBankDay } from "./harness/bank-time";
import { expect, test } from "./harness/clock-test";
import { authoriseFunds, fundsQuestion } from "./harness/funds";
import { expectRefusal } from "./harness/refusals";

test("a funds consent ends with the last local day of its card, and its refresh token with it", async ({
  tpp,
  psuByForms: psu,
  clock,
}) => {
  const cardExpiryDate = bankDayAt(clock.now(), 30);
  const grant = await authoriseFunds({ tpp, psu }, { cardExpiryDate });
  const end = startOfBankDay(bankDayAt(clock.now(), 31));
  await clock.set(later(end, { minutes: -2 }));
  const token = await grant.asked.server.refresh(String(grant.token.refreshToken));
  const permission = { ...grant, accessToken: token.accessToken };
  expect(granted(await tpp.bank.confirmFunds(permission, fundsQuestion()))).toEqual({
    fundsAvailable: true,
  });
  await clock.set(end);
  const late = await tpp.bank.confirmFunds(permission, fundsQuestion());
  expectRefusal(late, 401, "CONSENT_EXPIRED");
  const { consentStatus } = granted(await tpp.bank.fundsConsentStatus(grant.consentId));
  expect(consentStatus).toBe("expired");
  await expect(grant.asked.server.refresh(String(token.refreshToken))).rejects.toThrow();
});

test("a funds consent without a card's end answers after a year, as long as the TPP goes on asking", async ({
  tpp,
  psuByForms: psu,
  clock,
}) => {
  const grant = await authoriseFunds({ tpp, psu });
  let { refreshToken } = grant.token;
  let accessToken = grant.accessToken;
  for (let half = 0; half < 2; half += 1) {
    await clock.advance("P179D");
    const token = await grant.asked.server.refresh(String(refreshToken));
    ({ accessToken, refreshToken } = token);
  }
  const permission = { consentId: grant.consentId, accessToken };
  expect(granted(await tpp.bank.confirmFunds(permission, fundsQuestion()))).toEqual({
    fundsAvailable: true,
  });
});

test("checks that were used up come back, one a minute", async ({
  tpp,
  psuByForms: psu,
  clock,
}) => {
  const grant = await authoriseFunds({ tpp, psu });
  const ask = () => tpp.bank.confirmFunds(grant, fundsQuestion());
  await Promise.all(Array.from({ length: 20 }, ask));
  const refused = await ask();
  expectRefusal(refused, 429, "ACCESS_EXCEEDED");
  await clock.advance(`PT${refused.headers["retry-after"]}S`);
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(429);
});
