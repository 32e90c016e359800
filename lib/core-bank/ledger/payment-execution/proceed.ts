import { and, eq, sql } from "drizzle-orm";
import type { Step } from "@/lib/domain/payment/next-step";
import { paymentLimitDay } from "../../../../drizzle/schema/drawbridge/payment-limit-day";
import { paymentState } from "../../../../drizzle/schema/drawbridge/payment-state";
import type { LedgerTransaction } from "../database";
import type { DuePayment } from "./claim-due-payment";

/** Writes what has become of the payment. One that is rejected takes nothing of the PSU's limit. */
export async function proceed(
  tx: LedgerTransaction,
  payment: DuePayment,
  { to, dueAt, reason }: Step,
  now: Date,
): Promise<void> {
  await tx
    .update(paymentState)
    .set({
      dueAt: dueAt ?? null,
      ...(to !== payment.status && { status: to, statusAt: now, reason: reason ?? null }),
      ...(to === "RJCT" && { limitDay: null, limitMinor: null }),
    })
    .where(eq(paymentState.paymentId, payment.id));
  if (to === "RJCT") await giveLimitBack(tx, payment);
}

async function giveLimitBack(
  tx: LedgerTransaction,
  { psuId, limit }: Pick<DuePayment, "psuId" | "limit">,
): Promise<void> {
  if (limit === undefined) return;
  await tx
    .update(paymentLimitDay)
    .set({ usedMinor: sql`${paymentLimitDay.usedMinor} - ${limit.minorUnits}::bigint` })
    .where(and(eq(paymentLimitDay.psuId, psuId), eq(paymentLimitDay.day, limit.day)));
}
