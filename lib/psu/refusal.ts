import { type BankRefusal, bankRefusal } from "@/lib/domain/payment/bank-refusal";
import { answeredPayment, type SubmissionPorts } from "@/lib/domain/payment/submit-payment";
import type { Visit } from "./visit";

type Asked = Pick<Visit, "authorisation" | "now"> & { readonly house: SubmissionPorts };

/**
 * Why the bank refused what its PSU has confirmed: such a payment leads to no code, however often its
 * page is loaded. Undefined for everything else.
 */
export async function refusalOf({
  house,
  authorisation: { id, kind, scaStatus },
  now,
}: Asked): Promise<BankRefusal | undefined> {
  if (kind !== "PIS" || scaStatus !== "finalised") return undefined;
  const payment = await house.payments.findByAuthorisation(id);
  return payment && bankRefusal(await answeredPayment(house, payment, now));
}
