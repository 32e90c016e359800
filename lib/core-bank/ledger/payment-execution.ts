import { and, eq, lte } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import type { PaymentId } from "@/lib/domain/identifiers";
import type { PaymentExecution } from "@/lib/domain/payment/payment-execution";
import { log } from "@/lib/log";
import { paymentState } from "../../../drizzle/schema/drawbridge/payment-state";
import type { LedgerDatabase } from "./database";
import { claimDuePayment } from "./payment-execution/claim-due-payment";
import { stepOf } from "./payment-execution/due-step";
import { proceed } from "./payment-execution/proceed";

/** Execution in the embedded ledger: one transaction for each step of each payment. */
export function paymentExecution(database: LedgerDatabase): PaymentExecution {
  return {
    advance: async (now, rowsAtOnce) => {
      let steps = 0;
      while (steps < rowsAtOnce && (await advanceOne(database, now))) steps += 1;
      return { steps };
    },
  };
}

/** False when nothing is due that no other server has in hand. */
async function advanceOne(database: LedgerDatabase, now: Date): Promise<boolean> {
  let claimed: PaymentId | undefined;
  try {
    return await database.transaction(async (tx) => {
      const payment = await claimDuePayment(tx, now);
      if (payment === undefined) return false;
      claimed = payment.id;
      await proceed(tx, payment, await stepOf(tx, payment, now), now);
      return true;
    });
  } catch (error) {
    if (claimed === undefined) throw error;
    const payment = { paymentId: claimed, err: error };
    log.error(payment, "a payment's step failed and is tried again later");
    await postpone(database, claimed, now);
    return true;
  }
}

/**
 * A payment whose step fails makes room for the others, and is tried again as often as one that waits
 * for funds: nothing of the step has happened, and the payment is not given up.
 */
async function postpone(database: LedgerDatabase, id: PaymentId, now: Date): Promise<void> {
  const dueAt = after(now, aspspProfile.payments.fundsRetrySeconds, "second");
  const stillDue = and(eq(paymentState.paymentId, id), lte(paymentState.dueAt, now));
  await database.transaction((tx) => tx.update(paymentState).set({ dueAt }).where(stillDue));
}
