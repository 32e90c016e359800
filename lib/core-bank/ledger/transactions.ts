import { and, between, desc, eq, type SQL, sql } from "drizzle-orm";
import type { TransactionQuery } from "@/lib/domain/account-access/account-source";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import { type AccountId, isUuid, type TransactionId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger-account";
import { ledgerEntry } from "../../../drizzle/schema/ledger-entry";
import { counterpartyOf } from "./counterparty";
import type { LedgerReader } from "./database";
import { isPaymentAccount } from "./payment-account";
import { withoutNulls } from "./without-nulls";

/**
 * One page, newest first. The cursor is a position in that order and no offset, so entries that come
 * in while somebody pages neither push one onto the next page again nor pull one over the edge. A
 * pending entry that is booked meanwhile moves up to its booking date: it is never met twice, and if
 * it was not met yet, the next walk has it.
 */
export async function transactions(
  database: LedgerReader,
  query: TransactionQuery,
): Promise<readonly Transaction[]> {
  const { accountId, statuses, from, to, after, limit } = query;
  if (!isUuid(accountId) || statuses.length === 0) return [];
  const older = after && sql`(${ledgerEntry.day}, ${ledgerEntry.id}) < (${after.day}, ${after.id})`;
  const rows = await selectEntries(database)
    .where(
      and(
        eq(ledgerEntry.accountId, accountId),
        isPaymentAccount,
        between(ledgerEntry.day, from, to),
        hasStatus(statuses),
        older,
      ),
    )
    .orderBy(desc(ledgerEntry.day), desc(ledgerEntry.id))
    .limit(limit);
  return rows.map(toTransaction);
}

export async function transaction(
  database: LedgerReader,
  accountId: AccountId,
  id: TransactionId,
): Promise<Transaction | undefined> {
  if (!isUuid(accountId) || !isUuid(id)) return undefined;
  const [row] = await selectEntries(database).where(
    and(eq(ledgerEntry.id, id), eq(ledgerEntry.accountId, accountId), isPaymentAccount),
  );
  return row && toTransaction(row);
}

/** Written out, not as a parameter: only so does the index of pending entries apply. */
function hasStatus(statuses: TransactionQuery["statuses"]): SQL | undefined {
  const [first] = new Set(statuses);
  if (new Set(statuses).size > 1) return undefined;
  return first === "pending"
    ? sql`${ledgerEntry.status} = 'pending'`
    : sql`${ledgerEntry.status} = 'booked'`;
}

function selectEntries(database: LedgerReader) {
  return database
    .select({ entry: ledgerEntry, currency: ledgerAccount.currency })
    .from(ledgerEntry)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId));
}

type Row = Awaited<ReturnType<typeof selectEntries>>[number];

function toTransaction({ entry, currency }: Row): Transaction {
  return {
    id: entry.id,
    status: entry.status,
    amount: { currency, minorUnits: entry.amountMinor },
    day: entry.day,
    counterparty: counterpartyOf(entry),
    bankTransactionCode: entry.bankTransactionCode,
    ...withoutNulls({
      valueDate: entry.valueOn,
      remittance: entry.remittance,
      endToEndId: entry.endToEndId,
      entryReference: entry.entryReference,
    }),
  };
}
