import {
  and,
  between,
  desc,
  eq,
  getTableColumns,
  gt,
  isNull,
  lte,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type {
  TransactionCursor,
  TransactionQuery,
} from "@/lib/domain/account-access/account-source";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import type { IsoDate } from "@/lib/domain/iso-date";
import { ledgerAccount } from "../../../drizzle/schema/ledger-account";
import { ledgerEntry } from "../../../drizzle/schema/ledger-entry";
import type { LedgerReader } from "./database";
import { isPaymentAccount } from "./payment-account";

const known = {
  ...getTableColumns(ledgerEntry),
  currency: ledgerAccount.currency,
  revision: ledgerAccount.revision,
};

/** An entry as it is now. */
export const entryColumns = {
  ...known,
  asOfDay: sql<IsoDate>`${ledgerEntry.day}`.as("as_of_day"),
  asOfStatus: sql<Transaction["status"]>`${ledgerEntry.status}`.as("as_of_status"),
};

/** An entry as it was before it was booked. */
const pendingColumns = {
  ...known,
  asOfDay: sql<IsoDate>`${ledgerEntry.pendingDay}`.as("as_of_day"),
  asOfStatus: sql<Transaction["status"]>`'pending'::text`.as("as_of_status"),
};

export type EntryRow = Awaited<ReturnType<typeof entriesNow>>[number];

/**
 * A following page, read in the books as they were when the report was begun. The cursor is a
 * position and no offset, so nothing that is entered above it matters. An entry that was pending then
 * and has been booked since is looked up where it was: its booking date lies above the cursor, and
 * the report would never come to it.
 */
export function followingEntries(
  database: LedgerReader,
  query: TransactionQuery,
  { day, id, asOf }: TransactionCursor,
) {
  const revision = BigInt(asOf);
  const below = (position: typeof ledgerEntry.day | typeof ledgerEntry.pendingDay) =>
    sql`(${position}, ${ledgerEntry.id}) < (${day}, ${id})`;
  const entered = lte(ledgerEntry.enteredIn, revision);
  const unmoved = or(isNull(ledgerEntry.bookedIn), lte(ledgerEntry.bookedIn, revision));
  const asTheyAre = entriesNow(database, query, and(below(ledgerEntry.day), entered, unmoved));
  if (!query.statuses.includes("pending")) return asTheyAre;

  const asTheyWere = database
    .select(pendingColumns)
    .from(ledgerEntry)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .where(
      and(
        eq(ledgerEntry.accountId, query.accountId),
        isPaymentAccount,
        sql`${ledgerEntry.pendingDay} is not null`,
        gt(ledgerEntry.bookedIn, revision),
        between(ledgerEntry.pendingDay, query.from, query.to),
        below(ledgerEntry.pendingDay),
        entered,
      ),
    )
    .orderBy(desc(ledgerEntry.pendingDay), desc(ledgerEntry.id))
    .limit(query.limit);
  return unionAll(asTheyAre, asTheyWere).orderBy(sql`as_of_day desc, id desc`).limit(query.limit);
}

/** The books as they are; newest first, which is the index read backwards. */
export function entriesNow(
  database: LedgerReader,
  { accountId, statuses, from, to, limit }: TransactionQuery,
  further?: SQL,
) {
  return database
    .select(entryColumns)
    .from(ledgerEntry)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .where(
      and(
        eq(ledgerEntry.accountId, accountId),
        isPaymentAccount,
        between(ledgerEntry.day, from, to),
        hasStatus(statuses),
        further,
      ),
    )
    .orderBy(desc(ledgerEntry.day), desc(ledgerEntry.id))
    .limit(limit);
}

/** Written out, not as a parameter: only so does the index of pending entries apply. */
function hasStatus(statuses: TransactionQuery["statuses"]): SQL | undefined {
  const [first] = new Set(statuses);
  if (new Set(statuses).size > 1) return undefined;
  return first === "pending"
    ? sql`${ledgerEntry.status} = 'pending'`
    : sql`${ledgerEntry.status} = 'booked'`;
}
