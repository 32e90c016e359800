import type { Ports } from "../ports";
import { currentAuthorisation } from "../sca/current-authorisation";
import type { Payment } from "./payment";

/**
 * The payment as it stands now. One that nobody has authorised in time is rejected on the way, so that
 * no answer depends on whether a job has passed by.
 */
export async function currentPayment(
  ports: Pick<Ports, "payments" | "authorisations" | "profile">,
  payment: Payment,
  now: Date,
): Promise<Payment> {
  if (payment.status !== "RCVD") return payment;
  const { id: resourceId, tppId } = payment;
  const settled = await currentAuthorisation(ports, { kind: "PIS", resourceId, tppId, now });
  if (settled?.scaStatus !== "failed" && settled?.scaStatus !== "finalised") return payment;
  return (await ports.payments.findOfTpp(payment.id, tppId)) ?? payment;
}
