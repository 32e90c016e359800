import { and, eq } from "drizzle-orm";
import { paymentState } from "@/drizzle/schema/drawbridge";
import type { PaymentId } from "@/lib/domain/identifiers";
import type { PaymentRejection } from "@/lib/domain/payment/payment";
import type { Transaction } from "./atomically";

/** What its authorisation's failure does to a payment that nobody has authorised; others stay as they are. */
export async function rejectPayment(
  tx: Transaction,
  paymentId: PaymentId,
  because: PaymentRejection,
  at: Date,
): Promise<void> {
  await tx
    .update(paymentState)
    .set({ status: "RJCT", reason: because, statusAt: at })
    .where(and(eq(paymentState.paymentId, paymentId), eq(paymentState.status, "RCVD")));
}
