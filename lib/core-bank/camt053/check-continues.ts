import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { AccountId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import { formatAmount } from "@/lib/domain/money";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import type { LedgerTransaction } from "../ledger/database";
import type { KnownEntries } from "./known-entries";
import type { Statement } from "./statement";
import { refuse } from "./statement-error";

/**
 * A statement goes on from what the ledger has: its opening balance is the booked balance up to its
 * last day without its own entries. Those of its entries that the ledger has may overlap; a
 * statement that is missing in between, or one slipped in before later entries, is a gap.
 */
export async function checkContinues(
  tx: LedgerTransaction,
  accountId: AccountId,
  statement: Statement,
  known: KnownEntries,
): Promise<void> {
  const { opening, account } = statement;
  const day = lastDay(statement);
  const before = (await bookedUntil(tx, accountId, day)) - known.bookedBeforeMinor;
  if (before !== opening.amountMinor) {
    refuse(
      opening.place,
      `the opening balance is ${formatAmount(opening.amountMinor)}, the ledger has ${formatAmount(before)} ${account.currency} booked before: there is a gap`,
    );
  }
  const books = [...known.added, ...known.booked.map(({ entry }) => entry)];
  const first = books.find(({ status }) => status === "booked");
  if (first && (await goesOnAfter(tx, accountId, day))) {
    refuse(first.place, `the ledger has later entries, and ${first.reference} is not among them`);
  }
}

function lastDay({ closing, entries }: Statement): IsoDate {
  return entries.reduce(
    (last, { status, day }) => (status === "booked" && day > last ? day : last),
    closing.day,
  );
}

async function bookedUntil(
  tx: LedgerTransaction,
  accountId: AccountId,
  day: IsoDate,
): Promise<bigint> {
  const [row] = await tx
    .select({ sum: sql<string>`coalesce(sum(${ledgerEntry.amountMinor}), 0)::text` })
    .from(ledgerEntry)
    .where(and(eq(ledgerEntry.accountId, accountId), lte(ledgerEntry.bookedOn, day)));
  return BigInt(row?.sum ?? 0);
}

async function goesOnAfter(
  tx: LedgerTransaction,
  accountId: AccountId,
  day: IsoDate,
): Promise<boolean> {
  const later = await tx
    .select({ id: ledgerEntry.id })
    .from(ledgerEntry)
    .where(and(eq(ledgerEntry.accountId, accountId), gt(ledgerEntry.bookedOn, day)))
    .limit(1);
  return later.length > 0;
}
