import type { AspspProfile } from "../aspsp-profile";
import { formatAmount } from "../money";
import { type Rejection, reject } from "../rejection";
import { convert } from "./exchange-rate";
import type { PaymentOrder } from "./payment";
import { termsOf } from "./payment-product";

/** The bank's limit of the product, whoever pays: 400 PAYMENT_FAILED above it, undefined up to it. */
export function aboveBankLimit(
  { product, amount }: Pick<PaymentOrder, "product" | "amount">,
  profile: AspspProfile,
): Rejection | undefined {
  const { limit } = termsOf(profile, product);
  if (convert(amount, limit.currency, profile).minorUnits <= limit.minorUnits) return undefined;
  const most = `${formatAmount(limit.minorUnits)} ${limit.currency}`;
  const text = `the amount is above this bank's limit for ${product}, ${most} a payment`;
  return reject("PAYMENT_FAILED", text, { path: "instructedAmount.amount" });
}
