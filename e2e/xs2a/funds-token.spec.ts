import { granted } from "@/clients/typescript/src";
import { askForFunds } from "../harness/asking-for-funds";
import { authoriseFunds, fundsQuestion } from "../harness/funds";
import { sepa } from "../harness/payment-request";
import { expectRefusal, seen } from "../harness/refusals";
import { UNKNOWN_ID, without } from "../harness/requests";
import { expect, test } from "../harness/test";

test("Consent-ID missing, unknown, another TPP's or of account information", async ({
  tpp,
  newTpp,
  psuByForms: psu,
}) => {
  const grant = await authoriseFunds({ tpp, psu });
  const ask = (consentId: string) =>
    tpp.bank.confirmFunds({ ...grant, consentId }, fundsQuestion());
  const none = await tpp.bank.confirmFunds(grant, fundsQuestion(), {
    edit: without("consent-id"),
  });
  expectRefusal(none, 400, "FORMAT_ERROR", "Consent-ID");
  const unknown = await ask(UNKNOWN_ID);
  expectRefusal(unknown, 400, "CONSENT_UNKNOWN", "Consent-ID");
  const foreign = await askForFunds(await newTpp());
  const accounts = await tpp.ask();
  for (const id of [foreign.consentId, accounts.consentId, "x"]) {
    expect(seen(await ask(id))).toEqual(seen(unknown));
  }
  const own = await askForFunds(tpp);
  expectRefusal(await ask(own.consentId), 401, "TOKEN_INVALID");
});

test("O1: without a token of this TPP on this certificate nothing is answered", async ({
  tpp,
  newTpp,
  psuByForms: psu,
}) => {
  const grant = await authoriseFunds({ tpp, psu });
  const none = await tpp.bank.confirmFunds(grant, fundsQuestion(), {
    edit: without("authorization"),
  });
  expectRefusal(none, 401, "TOKEN_UNKNOWN", "Authorization");
  expect(none.headers["www-authenticate"]).toContain("invalid_token");
  const forged = { ...grant, accessToken: `${grant.accessToken.slice(0, -2)}xx` };
  const refusal = await tpp.bank.confirmFunds(forged, fundsQuestion());
  expectRefusal(refusal, 401, "TOKEN_UNKNOWN");
  const other = await newTpp();
  expect(seen(await other.bank.confirmFunds(grant, fundsQuestion()))).toEqual(seen(refusal));
  const renewed = await newTpp({ id: tpp.id });
  const rebound = await renewed.bank.confirmFunds(grant, fundsQuestion());
  expectRefusal(rebound, 401, "TOKEN_INVALID", "Authorization");
});

test("O13: a deleted consent answers nothing from that moment on", async ({
  tpp,
  psuByForms: psu,
}) => {
  const grant = await authoriseFunds({ tpp, psu });
  await tpp.bank.deleteFundsConsent(grant.consentId);
  const reply = await tpp.bank.confirmFunds(grant, fundsQuestion());
  expectRefusal(reply, 401, "CONSENT_INVALID");
});

test("O11: a token of account information opens no funds, one of funds neither accounts nor payments", async ({
  tpp,
  psuByForms: psu,
  authorise,
}) => {
  const [funds, accounts] = [await authoriseFunds({ tpp, psu }), await authorise(tpp)];
  const { bank } = tpp;
  const crossed = { consentId: funds.consentId, accessToken: accounts.accessToken };
  expectRefusal(await bank.confirmFunds(crossed, fundsQuestion()), 401, "TOKEN_INVALID");
  expectRefusal(await bank.confirmFunds(accounts, fundsQuestion()), 400, "CONSENT_UNKNOWN");

  const other = { consentId: accounts.consentId, accessToken: funds.accessToken };
  expectRefusal(await bank.accounts(other), 401, "TOKEN_INVALID");
  expectRefusal(await bank.accounts(funds), 400, "CONSENT_UNKNOWN");

  const asFunds = { headers: { authorization: `Bearer ${funds.accessToken}` } };
  const asAccounts = { headers: { authorization: `Bearer ${accounts.accessToken}` } };
  expectRefusal(await bank.consent(accounts.consentId, asFunds), 401, "TOKEN_INVALID");
  expectRefusal(await bank.fundsConsent(funds.consentId, asAccounts), 401, "TOKEN_INVALID");
  expect((await bank.fundsConsent(funds.consentId, asFunds)).status).toBe(200);
  const { product, payment } = sepa();
  const { paymentId } = granted(await bank.createPayment(product, payment, tpp));
  const reply = await bank.paymentStatus({ product, paymentId }, asFunds);
  expectRefusal(reply, 401, "TOKEN_INVALID");
});

test("a refreshed token answers as well, and the PSU is not asked for where the PSU is", async ({
  tpp,
  psuByForms: psu,
}) => {
  const { consentId, asked, token } = await authoriseFunds({ tpp, psu });
  const { accessToken } = await asked.server.refresh(String(token.refreshToken));
  const reply = await tpp.bank.confirmFunds({ consentId, accessToken }, fundsQuestion());
  expect(granted(reply)).toEqual({ fundsAvailable: true });
});
