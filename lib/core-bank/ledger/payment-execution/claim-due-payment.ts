import { asc, lte } from "drizzle-orm";
import { ledgerPayment } from "../../../../drizzle/schema/ledger";
import type { LedgerTransaction } from "../database";

/** A submitted payment, and how far it has come. */
export type LedgerPayment = typeof ledgerPayment.$inferSelect;

/**
 * The payment that has been due for longest, held until the end of the transaction. One that another
 * server holds is passed over: nobody waits for it, and nobody does the same.
 */
export async function claimDuePayment(
  tx: LedgerTransaction,
  now: Date,
): Promise<LedgerPayment | undefined> {
  const [row] = await tx
    .select()
    .from(ledgerPayment)
    .where(lte(ledgerPayment.dueAt, now))
    .orderBy(asc(ledgerPayment.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  return row;
}
