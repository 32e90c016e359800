import type { Ports } from "../ports";
import type { Authorisation } from "../sca/authorisation";
import type { Confirmed, Finalisation, Subject } from "../sca/subject";
import { debitOf } from "./debit";
import { convert } from "./exchange-rate";
import { linkHash, paymentLink } from "./link";
import type { Debit, Payment } from "./payment";

type PaymentPorts = Pick<Ports, "payments" | "authorisations" | "coreBank" | "profile">;

/**
 * A payment as what a code stands for (RTS art. 5): the code fits this amount, this payee and this
 * debit alone, and the text on the phone names amount and payee. Undefined when the debtor account is
 * no longer the PSU's own.
 */
export async function paymentSubject(
  ports: PaymentPorts,
  authorisation: Authorisation,
): Promise<Subject | undefined> {
  const payment = await ports.payments.findByAuthorisation(authorisation.id);
  const debit = payment && (await debitOf(ports, { payment, authorisation }));
  if (payment === undefined || debit === undefined) return undefined;
  const linked = await linkHash(paymentLink(payment, debit));
  const { amount, creditor } = payment.order;
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

function finalise(ports: PaymentPorts, finalising: Finalising): Promise<Finalisation> {
  const { payment, debit, linked, confirmed } = finalising;
  const { psuDayLimit } = ports.profile.payments;
  return ports.authorisations.finalisePayment({
    ...confirmed,
    authorisationId: payment.authorisationId,
    paymentId: payment.id,
    debit,
    linked,
    inLimitCurrency: convert(payment.order.amount, psuDayLimit.currency, ports.profile),
    dayLimit: psuDayLimit,
  });
}
