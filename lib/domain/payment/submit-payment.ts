import { after } from "../clock";
import type { PaymentProgress, PaymentSubmission } from "../core-bank";
import type { PaymentId } from "../identifiers";
import type { Ports } from "../ports";
import type { Payment } from "./payment";

export type SubmissionPorts = Pick<Ports, "payments" | "coreBank" | "submissionFaults" | "profile">;

/** Told of each payment that the core bank could not be asked about; the outbox keeps it. */
export type SubmissionFaults = (fault: {
  readonly paymentId: PaymentId;
  readonly err: unknown;
}) => void;

/**
 * Submits a payment that its PSU has authorised, or asks how far one has come that was submitted, and
 * writes what the core bank answers. Undefined when that failed: then `submitDuePayments` does it again.
 */
export async function submitPayment(
  ports: SubmissionPorts,
  payment: Payment,
  now: Date,
): Promise<PaymentProgress | undefined> {
  try {
    const progress = await progressOf(ports, payment, now);
    await ports.payments.record(payment, progress, askedAgainAt(ports, { payment, progress, now }));
    return progress;
  } catch (err) {
    ports.submissionFaults({ paymentId: payment.id, err });
    return undefined;
  }
}

/** The payment with the core bank's answer; submitted now, when the request that authorised it has not done so yet. */
export async function answeredPayment(
  ports: SubmissionPorts,
  payment: Payment,
  now: Date,
): Promise<Payment> {
  if (payment.status !== "ACTC") return payment;
  await submitPayment(ports, payment, now);
  return (await ports.payments.findByAuthorisation(payment.authorisationId)) ?? payment;
}

/** Takes from the outbox what is due in it. True when there may be more to do at once. */
export async function submitDuePayments(ports: SubmissionPorts, now: Date): Promise<boolean> {
  const due = await ports.payments.claimSubmissions(now, ports.profile.payments.submission);
  for (const payment of due) await submitPayment(ports, payment, now);
  return due.length > 0;
}

async function progressOf(
  { coreBank }: Pick<Ports, "coreBank">,
  payment: Payment,
  now: Date,
): Promise<PaymentProgress> {
  if (payment.status !== "ACTC") {
    const known = (await coreBank.payments([payment.id])).get(payment.id);
    if (known === undefined)
      throw new Error("the core bank does not know a payment it has taken on");
    return known;
  }
  const progress = await coreBank.submitPayment(submissionOf(payment, now));
  if (progress === "conflict") throw new Error("the core bank has another payment under this id");
  return progress;
}

function submissionOf(payment: Payment, now: Date): PaymentSubmission {
  const { id: paymentId, order, psuId: customerId, debit, authorisedAt } = payment;
  if (customerId === undefined || debit === undefined || authorisedAt === undefined) {
    throw new Error("only an authorised payment is submitted");
  }
  return { paymentId, order, customerId, debit, authorisedAt, now };
}

type Asked = { readonly payment: Payment; readonly progress: PaymentProgress; readonly now: Date };

/** When the core bank says, but not at once when it has nothing new to tell. */
function askedAgainAt(
  { profile }: Pick<Ports, "profile">,
  { payment, progress: { status, nextAt }, now }: Asked,
): Date | undefined {
  if (nextAt === undefined || nextAt > now || status !== payment.status) return nextAt;
  return after(now, profile.payments.executionEverySeconds, "second");
}
