import { and, eq, lte } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import type { PaymentId } from "@/lib/domain/identifiers";
import { log } from "@/lib/log";
import { ledgerPayment } from "../../../drizzle/schema/ledger";
import type { LedgerDatabase } from "./database";
import { claimDuePayment } from "./payment-execution/claim-due-payment";
import { stepOf } from "./payment-execution/due-step";
import { proceed } from "./payment-execution/proceed";

/**
 * Execution in the embedded ledger. Each payment that is due is claimed so that no other server waits for it or
 * does the same, and its step is one transaction: the change of status and the entries that go with it, both
 * or neither.
 */
export type PaymentExecution = {
  /** Yields how many steps were taken; `rowsAtOnce` when more may be due. */
  readonly advance: (now: Date, rowsAtOnce: number) => Promise<{ readonly steps: number }>;
};

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
  const stillDue = and(eq(ledgerPayment.id, id), lte(ledgerPayment.dueAt, now));
  await database.transaction((tx) => tx.update(ledgerPayment).set({ dueAt }).where(stillDue));
}
