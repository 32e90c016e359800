import { expect } from "vitest";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { addAccount, addCustomer, addEntries, today } from "@/lib/core-bank/ledger/testing";
import { type AspspProfile, aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Iban } from "@/lib/domain/iban";
import {
  type AccountId,
  newAuthorisationId,
  newPaymentId,
  type PsuId,
  type RequestId,
} from "@/lib/domain/identifiers";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { Payment, PaymentOrder } from "@/lib/domain/payment/payment";
import type { Initiation } from "@/lib/domain/payment/payment-store";
import { money } from "@/lib/domain/payment/product-terms";
import { type SubmissionFaults, submitPayment } from "@/lib/domain/payment/submit-payment";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import type { Finalisation } from "@/lib/domain/sca/subject";
import type { Database } from "./client";
import { paymentStore } from "./payment-store";
import { exampleTpp, minutesOn, now, openMax, type Stores, storesOf } from "./samples";
import type { TestDatabase } from "./testing";

export const newRequestId = () => crypto.randomUUID() as string as RequestId;
export const eur = (minorUnits: bigint) => money("EUR", minorUnits);

export type Payer = { readonly psuId: PsuId; readonly accountId: AccountId; readonly iban: Iban };

let numbers = 0;
type Account = Parameters<typeof addAccount>[2];

/** An account in euros of a PSU, a new one unless named, with 1,000.00 on it. */
export async function payer(
  db: Database,
  { psuId, ...account }: Account & { readonly psuId?: PsuId } = {},
): Promise<Payer> {
  numbers += 1;
  const iban = `RO00DRWB9${String(numbers).padStart(15, "0")}` as string as Iban;
  const owner = psuId ?? (await addCustomer(db, "Ana Popescu"));
  const accountId = await addAccount(
    db,
    { [owner]: "owner" },
    { iban, currency: eur(0n).currency, ...account },
  );
  await addEntries(db, accountId, [{ amountMinor: 100_000n, enteredOn: today, bookedOn: today }]);
  return { psuId: owner, accountId, iban };
}

export const order: PaymentOrder = {
  product: "sepa-credit-transfers",
  amount: eur(1_250n),
  debtor: { iban: "RO49DRWB1B31007593840000" as Iban },
  creditor: { name: "Shop", iban: "DE89370400440532013000" as Iban },
  chargeBearer: "SLEV",
  rejectWithoutFunds: false,
};

export type Started = Initiation & { readonly started: NonNullable<Initiation["started"]> };

/** What `initiate` is given for a payment that has just come. */
export function initiation(given: Partial<Payment> = {}, requestId = newRequestId()): Started {
  const payment: Payment = {
    id: newPaymentId(),
    tppId: exampleTpp.id,
    authorisationId: newAuthorisationId(),
    order,
    instruction: { instructedAmount: { amount: "12.50", currency: "EUR" } },
    createdAt: now,
    status: "RCVD",
    statusAt: now,
    ...given,
  };
  const { tppId } = payment;
  const authorisation = {
    id: payment.authorisationId,
    kind: "PIS",
    resourceId: payment.id,
    tppId,
    requestId,
    scaStatus: "received",
    wayBack: { redirectUri: "https://tpp.example/ok" },
    failedAttempts: 0,
    selection: [],
    codesSent: 0,
    createdAt: now,
    expiresAt: minutesOn(15),
  } as const;
  return {
    key: { tppId, requestId },
    bodyDigest: "digest",
    answer: { status: 201, headers: { location: `/${payment.id}` }, body: payment.id },
    at: now,
    started: { payment, authorisation, openMax },
  };
}

/** A payment whose PSU has signed in and been sent the code of the decision that comes back. */
export async function challengedPayment(
  { payments, authorisations }: Stores,
  { psuId, accountId, iban }: Payer,
  given: Partial<PaymentOrder> = {},
): Promise<PaymentDecision> {
  const begun = initiation({ order: { ...order, debtor: { iban }, ...given } });
  await payments.initiate(begun);
  const { id: paymentId, authorisationId: id, order: asked } = begun.started.payment;
  const debit = { accountId, amount: asked.amount, fee: eur(600n) };
  const codeFingerprint = `fingerprint of ${id}`;
  await authorisations.takeAttempt(id, 5, now);
  await authorisations.authenticate(id, psuId, now);
  const challenge = { codeFingerprint, expiresAt: minutesOn(5) };
  await authorisations.startChallenge(id, [accountId], challenge, 4, now);
  await authorisations.takeAttempt(id, 5, now);
  return {
    authorisationId: id,
    paymentId,
    psuId,
    codeFingerprint,
    debit,
    linked: await linkHash(paymentLink({ id: paymentId, order: asked }, debit)),
    submitAgainAt: minutesOn(2),
    on: today,
    at: minutesOn(1),
  };
}

/** The PSU's yes, and its submission as the same request makes it. */
export async function confirmed(
  db: Database,
  decision: PaymentDecision,
  given: Partial<Pick<AspspProfile["payments"], "psuDayLimit">> = {},
): Promise<Finalisation> {
  const { payments, authorisations } = storesOf(db);
  const outcome = await authorisations.finalisePayment(decision);
  if (outcome !== "finalised") return outcome;
  const payment = await payments.findByAuthorisation(decision.authorisationId);
  if (payment === undefined) throw new Error("an authorised payment is lost");
  const terms = { ...aspspProfile.payments, ...given };
  const progress = await submitPayment(
    submissionPorts(db, { ...aspspProfile, payments: terms }),
    payment,
    decision.at,
  );
  return progress?.status === "RJCT" ? "rejected" : "finalised";
}

export function submissionPorts(db: Database, profile: AspspProfile = aspspProfile) {
  const payments = paymentStore(db);
  const submissionFaults: SubmissionFaults = ({ err }) => {
    throw err;
  };
  return { profile, payments, coreBank: ledger(db, profile), submissionFaults };
}

/** Payment and authorisation are as `challengedPayment` has left them. */
export async function expectUnauthorised(
  database: TestDatabase,
  { authorisationId, paymentId }: PaymentDecision,
): Promise<void> {
  const { authorisations, payments } = storesOf(database.db);
  const authorisation = await authorisations.find(authorisationId);
  expect(authorisation).toMatchObject({ failedAttempts: 1 });
  expect(authorisation?.challenge).toBeDefined();
  const payment = await payments.findOfTpp(paymentId, exampleTpp.id);
  expect(payment).toMatchObject({ status: "RCVD", statusAt: now });
  expect(payment?.debit ?? payment?.psuId).toBeUndefined();
  const submissions = database.sql`select from payment_submission where payment_id = ${paymentId}`;
  expect(await submissions).toEqual([]);
}
