import { and, eq } from "drizzle-orm";
import type { TransactionPage, TransactionQuery } from "@/lib/domain/account-access/account-source";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import {
  type AccountId,
  type BooksState,
  isUuid,
  type TransactionId,
} from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger-account";
import { ledgerEntry } from "../../../drizzle/schema/ledger-entry";
import { counterpartyOf } from "./counterparty";
import type { LedgerReader } from "./database";
import { type EntryRow, entriesNow, entryColumns, followingEntries } from "./entries-as-of";
import { isPaymentAccount } from "./payment-account";
import { withoutNulls } from "./without-nulls";

/** One page; one more row than it has tells whether there is a next one. */
export async function transactions(
  database: LedgerReader,
  query: TransactionQuery,
): Promise<TransactionPage> {
  const { accountId, statuses, after, limit } = query;
  if (!isUuid(accountId) || statuses.length === 0) return { entries: [] };
  const asked = { ...query, limit: limit + 1 };
  const rows =
    after === undefined
      ? await entriesNow(database, asked)
      : await followingEntries(database, asked, after);
  const entries = rows.slice(0, limit).map(toTransaction);
  const [last, beyond] = rows.slice(limit - 1);
  if (last === undefined || beyond === undefined) return { entries };
  const asOf = after?.asOf ?? (String(last.revision) as BooksState);
  return { entries, next: { day: last.asOfDay, id: last.id, asOf } };
}

export async function transaction(
  database: LedgerReader,
  accountId: AccountId,
  id: TransactionId,
): Promise<Transaction | undefined> {
  if (!isUuid(accountId) || !isUuid(id)) return undefined;
  const [row] = await database
    .select(entryColumns)
    .from(ledgerEntry)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .where(and(eq(ledgerEntry.id, id), eq(ledgerEntry.accountId, accountId), isPaymentAccount));
  return row && toTransaction(row);
}

function toTransaction(entry: EntryRow): Transaction {
  return {
    id: entry.id,
    status: entry.asOfStatus,
    amount: { currency: entry.currency, minorUnits: entry.amountMinor },
    day: entry.asOfDay,
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
