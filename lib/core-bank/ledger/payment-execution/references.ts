import type { PaymentId } from "@/lib/domain/identifiers";

/**
 * The bank's references of what a payment enters. Each is unique within an account, so neither debit
 * nor credit can be entered twice; 34 characters of the standard's 35 at most.
 */
export function referencesOf(id: PaymentId) {
  const hex = id.replaceAll("-", "");
  return {
    debit: hex,
    fee: `F${hex}`,
    credit: `C${hex}`,
    return: `R${hex}`,
    feeReturn: `RF${hex}`,
  } as const;
}
