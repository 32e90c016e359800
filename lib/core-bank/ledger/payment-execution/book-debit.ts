import { and, eq, inArray, sql } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { dayIn, type IsoDate } from "@/lib/domain/iso-date";
import { ledgerEntry } from "../../../../drizzle/schema/ledger/entry";
import type { LedgerTransaction } from "../database";
import type { LedgerPayment } from "./claim-due-payment";
import { debitTransfers } from "./debit-transfers";

/**
 * Both sides of what was entered pending are booked: the same rows, so a TPP finds them under the same
 * `transactionId`. Throws when they are not there as they were entered.
 */
export async function bookDebit(
  tx: LedgerTransaction,
  payment: LedgerPayment,
  now: Date,
): Promise<void> {
  const { accountId } = payment;
  const transfers = debitTransfers(payment);
  const references = transfers.map(({ reference }) => reference);
  const ofDebtor = and(
    eq(ledgerEntry.accountId, accountId),
    inArray(ledgerEntry.entryReference, references),
  );
  const entered = tx.select({ id: ledgerEntry.transferId }).from(ledgerEntry).where(ofDebtor);
  // A clock that was set back must not book an entry before it was entered.
  const today = dayIn(aspspProfile.timeZone, now);
  const day = sql<IsoDate>`greatest(${ledgerEntry.enteredOn}, ${today}::date)`;
  const booked = await tx
    .update(ledgerEntry)
    .set({ status: "booked", bookedOn: day, valueOn: day, changedAt: now })
    .where(and(inArray(ledgerEntry.transferId, entered), eq(ledgerEntry.status, "pending")))
    .returning({ id: ledgerEntry.id });
  if (booked.length !== 2 * transfers.length) throw new Error("the debit is not in the books");
}
