import { and, eq, sql } from "drizzle-orm";
import type { Step } from "@/lib/domain/payment/next-step";
import {
  ledgerPayment,
  ledgerPaymentStatus,
  paymentLimitDay,
} from "../../../../drizzle/schema/ledger";
import type { LedgerTransaction } from "../database";
import type { LedgerPayment } from "./claim-due-payment";

type Taken = Pick<LedgerPayment, "limitDay" | "limitMinor" | "fundsAvailable">;

/** Writes what has become of the payment. One that is rejected takes nothing of the PSU's limit. */
export async function proceed(
  tx: LedgerTransaction,
  payment: LedgerPayment,
  { to: status, dueAt, reason, ...taken }: Step & Partial<Taken>,
  now: Date,
): Promise<void> {
  const { id: paymentId } = payment;
  const rejected = status === "RJCT";
  await tx
    .update(ledgerPayment)
    .set({
      status,
      dueAt: dueAt ?? null,
      ...taken,
      ...(rejected && { limitDay: null, limitMinor: null }),
    })
    .where(eq(ledgerPayment.id, paymentId));
  if (status !== payment.status) {
    await tx.insert(ledgerPaymentStatus).values({ paymentId, status, at: now, reason });
  }
  if (rejected) await giveLimitBack(tx, payment);
}

async function giveLimitBack(
  tx: LedgerTransaction,
  { psuId, limitDay, limitMinor }: LedgerPayment,
): Promise<void> {
  if (limitDay === null || limitMinor === null) return;
  await tx
    .update(paymentLimitDay)
    .set({ usedMinor: sql`${paymentLimitDay.usedMinor} - ${limitMinor}::bigint` })
    .where(and(eq(paymentLimitDay.psuId, psuId), eq(paymentLimitDay.day, limitDay)));
}
