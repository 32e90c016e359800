import { after } from "../clock";
import type { Ports } from "../ports";
import type { Authorisation } from "../sca/authorisation";
import type { Confirmed, Finalisation, Subject } from "../sca/subject";
import { bankRefusal } from "./bank-refusal";
import { linkHash, paymentLink } from "./link";
import type { Debit, Payment } from "./payment";
import { submitPayment } from "./submit-payment";

type PaymentPorts = Pick<
  Ports,
  "payments" | "authorisations" | "coreBank" | "submissionFaults" | "profile"
>;

/**
 * A payment as what a code stands for (RTS art. 5): the code fits this amount, this payee and this
 * debit alone, and the text on the phone names amount and payee. Undefined when the debtor account is
 * no longer the PSU's own.
 */
export async function paymentSubject(
  ports: PaymentPorts,
  { id, psuId: customerId }: Pick<Authorisation, "id" | "psuId">,
  now: Date,
): Promise<Subject | undefined> {
  const payment = await ports.payments.findByAuthorisation(id);
  if (payment === undefined || customerId === undefined) return undefined;
  const { order } = payment;
  const debit = (await ports.coreBank.quotePayment({ customerId, order, now }))?.debit;
  if (debit === undefined) return undefined;
  const linked = await linkHash(paymentLink(payment, debit));
  const { amount, creditor } = order;
  return {
    linked,
    purpose: { kind: "PIS", amount, creditor },
    finalise: (confirmed) => finalise(ports, { payment, debit, linked, confirmed }),
  };
}

type Finalising = {
  readonly payment: Payment;
  readonly debit: Debit;
  readonly linked: string;
  readonly confirmed: Confirmed;
};

/** Submitted at once, so that PSU and TPP hear the core bank's answer; if it has none, the yes stays. */
async function finalise(ports: PaymentPorts, finalising: Finalising): Promise<Finalisation> {
  const { payment, debit, linked, confirmed } = finalising;
  const { psuId, at } = confirmed;
  const outcome = await ports.authorisations.finalisePayment({
    ...confirmed,
    authorisationId: payment.authorisationId,
    paymentId: payment.id,
    debit,
    linked,
    submitAgainAt: after(at, ports.profile.payments.submission.retrySeconds, "second"),
  });
  if (outcome !== "finalised") return outcome;
  const authorised = {
    ...payment,
    status: "ACTC",
    statusAt: at,
    psuId,
    authorisedAt: at,
    debit,
  } as const;
  const progress = await submitPayment(ports, authorised, at);
  const answer = progress?.history.at(-1);
  return answer !== undefined && bankRefusal(answer) !== undefined ? "rejected" : "finalised";
}
