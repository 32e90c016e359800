import type { BankAccount, Debit } from "./accounts";
import {
  type Authorisation,
  type AuthorisationPorts,
  authorisationOf,
  type CreationRequest,
  currentAuthorisation,
  startedAuthorisation,
  tooManyOpen,
} from "./authorisation";
import { type AspspProfile, convert, type PaymentProduct, termsOf } from "./bank-profile";
import type { CoreBank, PaymentProgress, PaymentSubmission } from "./core-bank";
import { type Rejection, reject } from "./errors";
import type { EventLog } from "./events";
import type { Payment, PaymentOrder, PaymentRejection, TransactionStatus } from "./payment-order";
import { type TppRegister, upsertTpp } from "./tpp";
import {
  type AuthorisationId,
  addTime,
  amountOf,
  type Money,
  newAuthorisationId,
  newPaymentId,
  type PaymentId,
  type RequestId,
  type TppId,
} from "./values";

/** Writes the answer to keep, before it is known whether the request is the first with its id. */
export type AnswerWriter = {
  readonly initiated: (payment: Payment) => StoredAnswer;
  readonly refused: (rejection: Rejection) => StoredAnswer;
};

type InitiationAsked = CreationRequest & {
  readonly order: PaymentOrder;
  /** The body word for word. */
  readonly instruction: unknown;
  readonly writer: AnswerWriter;
};

type InitiationPorts = {
  readonly payments: PaymentStore;
  readonly tppRegister: TppRegister;
  readonly events: EventLog;
  readonly profile: AspspProfile;
};

/**
 * Starts a payment that waits for its PSU, or refuses it by a rule of the bank. The answer is kept in
 * the same transaction, so a repeated request gets it again and starts nothing: a TPP whose connection
 * broke may repeat it until there is an answer. Yields the answer, 201 or 400 PAYMENT_FAILED; rejects with
 * 429 ACCESS_EXCEEDED, which is not kept, when too many of the TPP's authorisations are open.
 */
export async function initiatePayment(
  ports: InitiationPorts,
  asked: InitiationAsked,
): Promise<StoredAnswer> {
  const { tpp, requestId, bodyDigest, now } = asked;
  const key = { tppId: tpp.id, requestId };
  await upsertTpp(ports, asked);
  const first = await ports.payments.initiate({
    key,
    bodyDigest,
    at: now,
    ...judged(ports, asked),
  });
  if (first === "full") throw tooManyOpen(ports);
  return first.first ? first.answer : answerAgain(ports, { first, key, bodyDigest });
}

function judged(
  ports: { readonly profile: AspspProfile },
  asked: InitiationAsked,
): Pick<Initiation, "answer" | "started"> {
  const { bodyDigest: _, ...request } = asked;
  const { tpp, order, instruction, now, writer } = asked;
  const refusal = aboveBankLimit(order, ports.profile);
  if (refusal !== undefined) return { answer: writer.refused(refusal) };
  const payment: Payment = {
    id: newPaymentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    order,
    instruction,
    createdAt: now,
    status: "RCVD",
    statusAt: now,
  };
  const { id: resourceId, authorisationId: id } = payment;
  const authorisation = startedAuthorisation(ports, { id, kind: "PIS", resourceId }, request);
  const { openPerTppMax: openMax } = ports.profile.sca;
  return { answer: writer.initiated(payment), started: { payment, authorisation, openMax } };
}

type Repeated = {
  readonly first: FirstAnswer;
  readonly key: RequestKey;
  /** Of the bytes that came now. */
  readonly bodyDigest: string;
};

/**
 * The first answer, whatever the request holds this time. Another body is no error towards the TPP, but is
 * recorded for the bank: a TPP that gives two payments one id, or somebody who tries to change one.
 */
export async function answerAgain(
  { events }: { readonly events: EventLog },
  { first, key, bodyDigest }: Repeated,
): Promise<StoredAnswer> {
  if (first.bodyDigest !== bodyDigest) {
    await events.record({ kind: "idempotency-mismatch", ...key });
  }
  return first.answer;
}

/** The bank's limit of the product, for every payer: 400 PAYMENT_FAILED above it, undefined up to it. */
export function aboveBankLimit(
  { product, amount }: Pick<PaymentOrder, "product" | "amount">,
  profile: AspspProfile,
): Rejection | undefined {
  const { limit } = termsOf(profile, product);
  if (convert(amount, limit.currency, profile).minorUnits <= limit.minorUnits) return undefined;
  const most = `${amountOf(limit)} ${limit.currency}`;
  const text = `the amount is above this bank's limit for ${product}, ${most} a payment`;
  return reject("PAYMENT_FAILED", text, { path: "instructedAmount.amount" });
}

type PaymentPorts = AuthorisationPorts & { readonly payments: PaymentStore };

export type PaymentOfTpp = {
  readonly id: PaymentId;
  readonly product: PaymentProduct;
  readonly tppId: TppId;
  readonly now: Date;
};

export const PRODUCT_UNKNOWN = "this payment service or product is not offered";
/** The same words for an unknown payment and another TPP's: nobody learns which ids exist. */
const PAYMENT_UNKNOWN = "this payment is not known";

/**
 * The TPP's own payment, in whatever state, also of a product that is not offered any more. Rejects with 404
 * RESOURCE_UNKNOWN, with 403 PRODUCT_INVALID when it was started under another product, and with 404 PRODUCT_UNKNOWN
 * where there is no such payment of a product that is not offered.
 */
export async function readPayment(
  ports: PaymentPorts,
  { id, product, tppId, now }: PaymentOfTpp,
): Promise<Payment> {
  const payment = await ports.payments.findOfTpp(id, tppId);
  if (payment?.order.product !== product && !termsOf(ports.profile, product).offered) {
    throw reject("PRODUCT_UNKNOWN", PRODUCT_UNKNOWN);
  }
  if (payment === undefined) throw reject("RESOURCE_UNKNOWN", PAYMENT_UNKNOWN);
  if (payment.order.product !== product) {
    throw reject("PRODUCT_INVALID", `this payment was started as ${payment.order.product}`);
  }
  return currentPayment(ports, payment, now);
}

export async function readPaymentAuthorisation(
  ports: PaymentPorts,
  asked: PaymentOfTpp & { readonly authorisationId: AuthorisationId },
): Promise<Authorisation> {
  return authorisationOf(ports, await readPayment(ports, asked), asked.authorisationId);
}

/** Cancellation is not offered: the TPP of a payment is answered so, and nothing of the payment changes. */
export async function refuseCancellation(ports: PaymentPorts, asked: PaymentOfTpp): Promise<never> {
  await readPayment(ports, asked);
  throw reject("CANCELLATION_INVALID", "payments cannot be cancelled at this bank");
}

/** The payment as it is now: one that was not authorised in time is rejected here (see `settleWindow`). */
export async function currentPayment(
  ports: PaymentPorts,
  payment: Payment,
  now: Date,
): Promise<Payment> {
  if (payment.status !== "RCVD") return payment;
  const { id: resourceId, tppId } = payment;
  const settled = await currentAuthorisation(ports, { kind: "PIS", resourceId, tppId, now });
  if (settled?.scaStatus !== "failed" && settled?.scaStatus !== "finalised") return payment;
  return (await ports.payments.findOfTpp(payment.id, tppId)) ?? payment;
}

export function debitFrom(account: BankAccount, order: PaymentOrder, profile: AspspProfile): Debit {
  const { id: accountId, currency } = account;
  return {
    accountId,
    amount: convert(order.amount, currency, profile),
    fee: convert(feeOf(order, profile), currency, profile),
  };
}

/** In the tariff's currency. The creditor bears the charges where the order says so. */
export function feeOf({ product, chargeBearer }: PaymentOrder, profile: AspspProfile): Money {
  const { fee } = termsOf(profile, product);
  return chargeBearer === "CRED" ? { ...fee, minorUnits: 0n } : fee;
}

/** `X-Request-ID` counts for one TPP only: another TPP's same id is another request. */
export type RequestKey = { readonly tppId: TppId; readonly requestId: RequestId };

/** An answer as it was sent, to be sent again byte for byte. */
export type StoredAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type FirstAnswer = {
  readonly answer: StoredAnswer;
  /** Of the bytes that were answered, base64url of their SHA-256. */
  readonly bodyDigest: string;
};

export type Initiation = FirstAnswer & {
  readonly key: RequestKey;
  readonly at: Date;
  /** Absent when a rule of the bank has refused it: the refusal is the answer for good. */
  readonly started?: {
    readonly payment: Payment;
    readonly authorisation: Authorisation;
    /** How many authorisations a TPP may have open. */
    readonly openMax: number;
  };
};

export type PaymentStore = {
  readonly firstAnswer: (key: RequestKey) => Promise<FirstAnswer | undefined>;
  /**
   * Answer, payment and authorisation, all or nothing, unless the key has been answered: then nothing
   * is kept and the first answer comes back. A call while the first one runs waits for it. `full`, and
   * nothing is kept, when the TPP has too many authorisations open and the key has no answer yet.
   */
  readonly initiate: (
    initiation: Initiation,
  ) => Promise<(FirstAnswer & { readonly first: boolean }) | "full">;
  /** A payment of another TPP is not found, like an unknown one. */
  readonly findOfTpp: (id: PaymentId, tppId: TppId) => Promise<Payment | undefined>;
  readonly findByAuthorisation: (id: AuthorisationId) => Promise<Payment | undefined>;
  /**
   * Authorised payments whose submission or next question to the core bank is due. Each is claimed for one
   * server; when that one does not `record` an answer, it is due again, each time after a pause of twice the length.
   */
  readonly claimSubmissions: (
    now: Date,
    limits: AspspProfile["payments"]["submission"],
    tppId?: TppId,
  ) => Promise<readonly Payment[]>;
  /**
   * Writes how far a payment has come at the core bank, and when it is asked again; never, without `dueAt`.
   * An answer that is older than what is known changes no status; one about a payment that was not authorised here is
   * believed, and noted as such. Writes nothing where a conflict was noted since the payment was read.
   */
  readonly record: (
    payment: Payment,
    progress: PaymentProgress,
    dueAt: Date | undefined,
  ) => Promise<void>;
  /** Keeps that the core bank has another order under this id, until it takes this one on. */
  readonly noteConflict: (id: PaymentId) => Promise<void>;
};

export type SubmissionPorts = {
  readonly payments: PaymentStore;
  readonly coreBank: CoreBank;
  readonly submissionFaults: SubmissionFaults;
  readonly profile: AspspProfile;
};

/** Called for each payment whose submission failed; the outbox keeps it. */
export type SubmissionFaults = (fault: {
  readonly paymentId: PaymentId;
  readonly err: unknown;
}) => void;

/**
 * Submits a payment that its PSU has authorised, or asks how far one has come that was submitted, and
 * writes what the core bank answers. Undefined when that failed: then `submitDuePayments` does it again, and asks
 * before it submits, since the answer alone may have been lost.
 */
export async function submitPayment(
  ports: SubmissionPorts,
  payment: Payment,
  { now, mayBeKnown = false }: Submitting,
): Promise<PaymentProgress | undefined> {
  try {
    const progress = await progressOf(ports, payment, { now, mayBeKnown });
    await ports.payments.record(payment, progress, askedAgainAt(ports, { payment, progress, now }));
    return progress;
  } catch (err) {
    ports.submissionFaults({ paymentId: payment.id, err });
    return undefined;
  }
}

type Submitting = {
  readonly now: Date;
  /** An answer may have been lost: the core bank is asked before the payment is sent again. */
  readonly mayBeKnown?: boolean;
};

/** The payment with the core bank's answer; submitted here when the request that authorised it has not done so yet. */
export async function answeredPayment(
  ports: SubmissionPorts,
  payment: Payment,
  now: Date,
): Promise<Payment> {
  if (payment.status !== "ACTC") return payment;
  await submitPayment(ports, payment, { now, mayBeKnown: true });
  return (await ports.payments.findByAuthorisation(payment.authorisationId)) ?? payment;
}

type Due = {
  readonly tppId?: TppId | undefined;
  /** A server that is stopped waits for the payment under way, and leaves the others, which are due again by themselves. */
  readonly stopping?: AbortSignal;
};

/** Takes from the outbox what is due in it. True when there may be more to do at once. */
export async function submitDuePayments(
  ports: SubmissionPorts,
  now: Date,
  { tppId, stopping }: Due = {},
): Promise<boolean> {
  const { submission } = ports.profile.payments;
  const due = await ports.payments.claimSubmissions(now, submission, tppId);
  for (const payment of due) {
    if (stopping?.aborted === true) break;
    await submitPayment(ports, payment, { now, mayBeKnown: true });
  }
  return due.length > 0;
}

/** After a conflict what the core bank knows under the id is another order: only a submission tells of this one. */
async function progressOf(
  { coreBank, payments }: Pick<SubmissionPorts, "coreBank" | "payments">,
  payment: Payment,
  { now, mayBeKnown }: Submitting,
): Promise<PaymentProgress> {
  const isTakenOn = payment.status !== "ACTC";
  if (isTakenOn || (mayBeKnown && payment.conflict !== true)) {
    const known = await coreBank.payment(payment.id);
    if (known !== undefined && isTakenOn && !hasHad(known, payment.status)) {
      throw new Error(`the core bank does not know of ${payment.status} any more`);
    }
    if (known !== undefined) return known;
    if (isTakenOn) throw new Error("the core bank does not know a payment it has taken on");
  }
  const progress = await coreBank.submitPayment(submissionOf(payment, now));
  if (progress !== "conflict") return progress;
  await payments.noteConflict(payment.id);
  throw new Error("the core bank has another payment under this id");
}

/** How far a payment has come moves forward only, so that what is known of it here is part of any later answer. */
export function hasHad({ history }: PaymentProgress, status: TransactionStatus): boolean {
  return history.some((step) => step.status === status);
}

function submissionOf(payment: Payment, now: Date): PaymentSubmission {
  const { id: paymentId, order, psuId: customerId, debit, authorisedAt } = payment;
  if (customerId === undefined || debit === undefined || authorisedAt === undefined) {
    throw new Error("only an authorised payment is submitted");
  }
  return { paymentId, order, customerId, debit, authorisedAt, now };
}

type Asked = { readonly payment: Payment; readonly progress: PaymentProgress; readonly now: Date };

/** When the core bank says so, but not before the next turn when nothing has changed. */
function askedAgainAt(
  { profile }: { readonly profile: AspspProfile },
  { payment, progress: { status, nextAt }, now }: Asked,
): Date | undefined {
  if (nextAt === undefined || status !== payment.status) return nextAt;
  const soonest = addTime(now, profile.payments.executionEverySeconds, "second");
  return nextAt > soonest ? nextAt : soonest;
}

/** What becomes of an accepted payment, and when it is looked at again; without `dueAt` it is over. */
export type Step = {
  readonly to: TransactionStatus;
  readonly dueAt?: Date;
  readonly reason?: PaymentRejection;
};

type Order = Pick<PaymentOrder, "product" | "rejectWithoutFunds">;

type FundsLooked = {
  readonly status: "ACCP" | "PDNG";
  readonly order: Order;
  readonly enough: boolean;
  /** When the PSU authorised it. */
  readonly authorisedAt: Date;
  readonly now: Date;
};

/** Funds are there: execution begins. If not, it waits for them or is rejected, as the TPP prefers. */
export function afterFundsCheck(looked: FundsLooked, profile: AspspProfile): Step {
  const { status, order, enough, authorisedAt, now } = looked;
  const { fundsWaitHours, fundsRetrySeconds } = profile.payments;
  const { settlesAfterSeconds } = termsOf(profile, order.product);
  if (enough) return { to: "ACSP", dueAt: addTime(now, settlesAfterSeconds, "second") };
  const waitsUntil = addTime(authorisedAt, fundsWaitHours, "hour");
  if (order.rejectWithoutFunds || now >= waitsUntil) return { to: "RJCT", reason: "no-funds" };
  const again = addTime(now, fundsRetrySeconds, "second");
  const dueAt = new Date(Math.min(again.getTime(), waitsUntil.getTime()));
  return status === "ACCP" ? { to: "PDNG", dueAt } : { to: status, dueAt };
}

type Settling = {
  readonly order: Order;
  /** False when the creditor's account at this bank cannot be credited. */
  readonly creditable: boolean;
  readonly now: Date;
};

/** The debit is booked. A creditor's account that is closed sends the money back. */
export function afterSettlement({ order, creditable, now }: Settling, profile: AspspProfile): Step {
  if (!creditable) return { to: "RJCT", reason: "creditor-account-closed" };
  return termsOf(profile, order.product).reportsCredit
    ? { to: "ACSC", dueAt: now }
    : { to: "ACSC" };
}
