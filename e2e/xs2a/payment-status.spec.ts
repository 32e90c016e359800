import { setTimeout as sleep } from "node:timers/promises";
import { granted } from "@/clients/typescript/src";
import { ANA_CURRENT, instant, MIHAI_CURRENT, type PaymentOrder } from "../harness/payment-request";
import type { UserId } from "../harness/psu";
import type { PsuByForms } from "../harness/psu-by-forms";
import { expectRefusal } from "../harness/refusals";
import { expect, test } from "../harness/test";
import type { AskedToPay, TestTpp } from "../harness/test-tpp";

/** More than he has, and less than any limit. */
const tooDear = (): PaymentOrder =>
  instant({
    debtorAccount: { iban: MIHAI_CURRENT },
    creditorAccount: { iban: ANA_CURRENT },
    creditorName: "Ana Popescu",
    instructedAmount: { currency: "RON", amount: "900.00" },
  });
const withoutFunds = expect.arrayContaining([
  expect.objectContaining({ category: "WARNING", code: "FUNDS_NOT_AVAILABLE" }),
]);

/** The PSU says yes, and the TPP has its token. */
async function authorised(tpp: TestTpp, psu: PsuByForms, userId: UserId, asked: AskedToPay) {
  await psu.open(asked.request.url);
  await psu.agreeAtOnce(userId, tpp.name);
  return tpp.collect(asked);
}

/** Every status on the way, as a TPP sees it that keeps asking. */
async function statusesUntil(tpp: TestTpp, asked: AskedToPay, last: string) {
  const seen: string[] = [];
  for (let tries = 0; tries < 600 && seen.at(-1) !== last; tries += 1) {
    const { transactionStatus } = granted(await tpp.bank.paymentStatus(asked));
    if (seen.at(-1) !== transactionStatus) seen.push(transactionStatus);
    await sleep(100);
  }
  return seen;
}

test("an instant payment is seen to go forward to ACCC, and cannot be cancelled then either", async ({
  tpp,
  psuByForms: psu,
}) => {
  const asked = await tpp.askToPay(instant());
  await authorised(tpp, psu, "ana", asked);
  const { scaStatus } = granted(await tpp.bank.paymentScaStatus(asked, asked.authorisationId));
  expect(scaStatus).toBe("finalised");
  const seen = await statusesUntil(tpp, asked, "ACCC");
  const forward = ["ACTC", "ACCP", "ACSP", "ACSC", "ACCC"];
  expect(seen).toEqual(forward.filter((status) => seen.includes(status)));
  expect(granted(await tpp.bank.paymentStatus(asked))).toEqual({ transactionStatus: "ACCC" });
  expectRefusal(await tpp.bank.deletePayment(asked), 405, "CANCELLATION_INVALID");
  expect((await tpp.bank.payment(asked)).body).toMatchObject({ transactionStatus: "ACCC" });
});

test("O11: the token of a payment opens this payment, no other one and no account", async ({
  tpp,
  psuByForms: psu,
}) => {
  const asked = await tpp.askToPay(instant());
  const { accessToken } = await authorised(tpp, psu, "ana", asked);
  const token = { headers: { authorization: `Bearer ${accessToken}` } };
  expect((await tpp.bank.payment(asked, token)).status).toBe(200);
  expect((await tpp.bank.paymentStatus(asked, token)).status).toBe(200);
  const other = await tpp.askToPay(instant());
  expectRefusal(await tpp.bank.payment(other, token), 401, "TOKEN_INVALID");
  expectRefusal(await tpp.bank.deletePayment(other, token), 401, "TOKEN_INVALID");
  const { consentId } = await tpp.ask();
  expectRefusal(await tpp.bank.consent(consentId, token), 401, "TOKEN_INVALID");
  const accounts = await tpp.bank.accounts({ consentId, accessToken });
  expectRefusal(accounts, 401, "TOKEN_INVALID");
});

test("a payment that the PSU cancels is RJCT, with a sentence to show", async ({
  tpp,
  psuByForms: psu,
}) => {
  const asked = await tpp.askToPay();
  await psu.open(asked.request.url);
  await psu.cancel();
  await tpp.listener.next(60_000);
  expect(granted(await tpp.bank.paymentStatus(asked))).toEqual({
    transactionStatus: "RJCT",
    psuMessage: "The payment was not confirmed.",
  });
});

test("without funds a payment is PDNG and says so", async ({ tpp, psuByForms: psu }) => {
  const asked = await tpp.askToPay(tooDear());
  await authorised(tpp, psu, "mihai", asked);
  await statusesUntil(tpp, asked, "PDNG");
  expect(granted(await tpp.bank.paymentStatus(asked))).toEqual({
    transactionStatus: "PDNG",
    tppMessages: withoutFunds,
  });
});

test("without funds a payment is RJCT where TPP-Rejection-NoFunds-Preferred asks for it", async ({
  tpp,
  psuByForms: psu,
}) => {
  const headers = { "tpp-rejection-nofunds-preferred": "true" };
  const asked = await tpp.askToPay(tooDear(), { headers });
  await authorised(tpp, psu, "mihai", asked);
  await statusesUntil(tpp, asked, "RJCT");
  expect(granted(await tpp.bank.paymentStatus(asked))).toEqual({
    transactionStatus: "RJCT",
    psuMessage: "The account did not have enough funds for the payment.",
    tppMessages: withoutFunds,
  });
});
