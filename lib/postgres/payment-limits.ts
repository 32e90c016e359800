import { eq, lte, sql } from "drizzle-orm";
import { paymentLimitDay } from "@/drizzle/schema/drawbridge";
import { customer } from "@/drizzle/schema/ledger";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import type { Transaction } from "./atomically";

/** True when the PSU has set a limit for one payment, in the bank's own channel, and it is passed. */
export async function passesOwnLimit(
  tx: Transaction,
  { psuId, inLimitCurrency }: PaymentDecision,
): Promise<boolean> {
  const [row] = await tx
    .select({ limit: customer.paymentLimitMinor })
    .from(customer)
    .where(eq(customer.id, psuId));
  if (row === undefined) throw new Error("the owner of an account is a customer");
  return row.limit !== null && inLimitCurrency.minorUnits > row.limit;
}

/**
 * Takes the amount of what the PSU may send on this local day. False, and nothing is taken, when too
 * little is left: the condition stands in the update, so payments at once never pass it together.
 */
export async function takeOfDayLimit(
  tx: Transaction,
  { psuId, on, inLimitCurrency, dayLimit }: PaymentDecision,
): Promise<boolean> {
  const usedMinor = inLimitCurrency.minorUnits;
  if (usedMinor > dayLimit.minorUnits) return false;
  const together = sql`${paymentLimitDay.usedMinor} + excluded.used_minor`;
  const rows = await tx
    .insert(paymentLimitDay)
    .values({ psuId, day: on, usedMinor })
    .onConflictDoUpdate({
      target: [paymentLimitDay.psuId, paymentLimitDay.day],
      set: { usedMinor: together },
      setWhere: lte(together, dayLimit.minorUnits),
    })
    .returning({ day: paymentLimitDay.day });
  return rows.length === 1;
}
