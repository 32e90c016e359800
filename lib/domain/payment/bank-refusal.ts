import type { PaymentStep } from "../core-bank";
import type { Payment } from "./payment";

const refusals = ["account-blocked", "psu-limit", "day-limit"] as const;

/** A rule of the bank that refuses what the PSU has just authorised. */
export type BankRefusal = (typeof refusals)[number];

/**
 * Why the bank refused the payment at its authorisation. Undefined for one that was accepted, even if
 * its execution fails later.
 */
export function bankRefusal({
  status,
  reason,
}: Pick<Payment, "status" | "reason"> | PaymentStep): BankRefusal | undefined {
  return status === "RJCT" ? refusals.find((refusal) => refusal === reason) : undefined;
}
