import { type FundsConsentRequest, granted } from "@/clients/typescript/src";
import { askForFunds } from "../harness/asking-for-funds";
import { bankCommand } from "../harness/bank-command";
import { bankDay } from "../harness/consent-request";
import { authoriseFunds } from "../harness/funds";
import { ANA_CURRENT, MIHAI_CURRENT } from "../harness/payment-request";
import { expectRefusal, seen } from "../harness/refusals";
import { UNKNOWN_ID } from "../harness/requests";
import { expect, test } from "../harness/test";

const ANA_SAVINGS = "RO49DRWB0001000000000103";
const whole: FundsConsentRequest = {
  account: { iban: ANA_CURRENT, currency: "RON" },
  cardNumber: "5254121234563241",
  cardExpiryDate: bankDay(700),
  cardInformation: "Loyalty card",
  registrationInformation: "Contract 1234",
};

test("O1: an unknown funds consent and another TPP's are the same 403 on every path", async ({
  tpp,
  newTpp,
}) => {
  const other = await newTpp();
  const { consentId: foreign, authorisationId } = await askForFunds(other);
  const { bank } = tpp;
  const calls = (id: string) => [
    bank.fundsConsent(id),
    bank.fundsConsentStatus(id),
    bank.deleteFundsConsent(id),
    bank.fundsAuthorisations(id),
    bank.fundsScaStatus(id, authorisationId),
  ];
  const unknown = await Promise.all(calls(UNKNOWN_ID));
  for (const reply of unknown) expectRefusal(reply, 403, "CONSENT_UNKNOWN");
  expect((await Promise.all(calls(foreign))).map(seen)).toEqual(unknown.map(seen));
  for (const reply of [...(await Promise.all(calls("x"))), ...(await Promise.all(calls("%00")))]) {
    expectRefusal(reply, 403, "CONSENT_UNKNOWN");
  }
  const { consentStatus } = granted(await other.bank.fundsConsentStatus(foreign));
  expect(consentStatus).toBe("received");
  expectRefusal(await other.bank.fundsScaStatus(foreign, UNKNOWN_ID), 404, "RESOURCE_UNKNOWN");
});

test("O11: a funds consent is unknown on the AIS paths, an account information consent on these", async ({
  tpp,
}) => {
  const [funds, accounts] = [await askForFunds(tpp), await tpp.ask()];
  expectRefusal(await tpp.bank.consent(funds.consentId), 403, "CONSENT_UNKNOWN");
  expectRefusal(await tpp.bank.deleteConsent(funds.consentId), 403, "CONSENT_UNKNOWN");
  expectRefusal(await tpp.bank.fundsConsent(accounts.consentId), 403, "CONSENT_UNKNOWN");
  expectRefusal(await tpp.bank.deleteFundsConsent(accounts.consentId), 403, "CONSENT_UNKNOWN");
});

test("DELETE is 204 and ends the funds consent as terminatedByTpp; a second DELETE changes nothing", async ({
  tpp,
}) => {
  const { consentId, authorisationId } = await askForFunds(tpp);
  expect((await tpp.bank.deleteFundsConsent(consentId)).status).toBe(204);
  expect((await tpp.bank.deleteFundsConsent(consentId)).status).toBe(204);
  const { consentStatus } = granted(await tpp.bank.fundsConsentStatus(consentId));
  expect(consentStatus).toBe("terminatedByTpp");
  const { scaStatus } = granted(await tpp.bank.fundsScaStatus(consentId, authorisationId));
  expect(scaStatus).toBe("failed");
});

test("authorised, a funds consent is valid, says what it said before, and lives beside others", async ({
  tpp,
  psuByForms: psu,
}) => {
  const one = await authoriseFunds({ tpp, psu }, whole);
  const other = await authoriseFunds({ tpp, psu }, { ...whole, cardNumber: "4444" });
  for (const [{ consentId }, cardNumber] of [
    [one, whole.cardNumber],
    [other, "4444"],
  ] as const) {
    expect(granted(await tpp.bank.fundsConsent(consentId))).toEqual({
      ...whole,
      cardNumber,
      consentStatus: "valid",
    });
  }
  const { asked, consentId } = one;
  const { scaStatus } = granted(await tpp.bank.fundsScaStatus(consentId, asked.authorisationId));
  expect(scaStatus).toBe("finalised");
});

const notTheirs = {
  "another customer's": { iban: MIHAI_CURRENT },
  "no payment account": { iban: ANA_SAVINGS },
  "of another currency": { iban: ANA_CURRENT, currency: "EUR" },
  "at another bank": { iban: "DE89370400440532013000" },
} as const;
test("an account that is not the PSU's: the page says so, the consent is rejected, back to the Nok URI", async ({
  tpp,
  psu,
}) => {
  for (const [whose, account] of Object.entries(notTheirs)) {
    await test.step(`an account that is ${whose}`, async () => {
      const asked = await askForFunds(tpp, { account });
      await psu.open(asked.request.url);
      await psu.signIn("ana");
      await expect(psu.page.getByRole("heading", { name: "none of yours" })).toBeVisible();
      await expect(psu.page.getByText(`Nothing is shared with “${tpp.name}”.`)).toBeVisible();
      const { consentStatus } = granted(await tpp.bank.fundsConsentStatus(asked.consentId));
      expect(consentStatus).toBe("rejected");
      await psu.wayBack.click();
      const cameBack = await tpp.listener.next(60_000);
      expect(cameBack.pathname).toBe("/nok");
      expect(cameBack.searchParams.get("error")).toBe("access_denied");
      expect(cameBack.searchParams.get("state")).toBe(asked.request.state);
      await psu.isBackAt(cameBack);
    });
  }
});

test("the PSU takes back the funds consent at the bank: revokedByPsu, and nothing is answered any more", async ({
  tpp,
  psuByForms: psu,
  bank,
}) => {
  const grant = await authoriseFunds({ tpp, psu });
  expect(await bankCommand(bank, "revoke", grant.consentId, "--psu", "ana")).toContain(
    "is revoked",
  );
  const { consentStatus } = granted(await tpp.bank.fundsConsentStatus(grant.consentId));
  expect(consentStatus).toBe("revokedByPsu");
  const question = {
    account: { iban: ANA_CURRENT },
    instructedAmount: { currency: "RON", amount: "1" },
  };
  expectRefusal(await tpp.bank.confirmFunds(grant, question), 401, "CONSENT_INVALID");
  const { refreshToken = "none" } = grant.token;
  await expect(grant.asked.server.refresh(refreshToken)).rejects.toThrow();
});
