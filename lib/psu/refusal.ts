import { type BankRefusal, bankRefusal } from "@/lib/domain/payment/bank-refusal";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { PsuHouse } from "./house";

/**
 * Why the bank refused what its PSU has confirmed: such a payment leads to no code, however often its
 * page is loaded. Undefined for everything else.
 */
export async function refusalOf(
  { payments }: Pick<PsuHouse, "payments">,
  { id, kind, scaStatus }: Pick<Authorisation, "id" | "kind" | "scaStatus">,
): Promise<BankRefusal | undefined> {
  if (kind !== "PIS" || scaStatus !== "finalised") return undefined;
  const payment = await payments.findByAuthorisation(id);
  return payment && bankRefusal(payment);
}
