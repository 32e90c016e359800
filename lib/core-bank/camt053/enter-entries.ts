import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { AccountId, TransactionId } from "@/lib/domain/identifiers";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import type { LedgerTransaction } from "../ledger/database";
import type { StatementEntry } from "./statement";

export type NewEntry = Omit<StatementEntry, "place" | "reference"> & {
  readonly reference: string | undefined;
};

/** A pending entry of the ledger, and as what it is booked now. */
export type BookedEntry = { readonly transferId: string; readonly entry: StatementEntry };

export type Sides = {
  readonly accountId: AccountId;
  readonly clearingId: AccountId;
  readonly now: Date;
};

/** A statement of SQL takes 65,534 parameters and an entry has 16. */
const ROWS_PER_INSERT = 1_000;

type Row = typeof ledgerEntry.$inferInsert;

export async function enterEntries(
  tx: LedgerTransaction,
  entries: readonly NewEntry[],
  sides: Sides,
): Promise<void> {
  const rows = entries.flatMap((entry) => bothSides(entry, sides));
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await tx.insert(ledgerEntry).values(rows.slice(start, start + ROWS_PER_INSERT));
  }
}

/** Row and id stay when a pending entry is booked; so does the other side's. */
export async function bookKnownEntries(
  tx: LedgerTransaction,
  booked: readonly BookedEntry[],
  { accountId, now }: Sides,
): Promise<void> {
  for (const { transferId, entry } of booked) {
    const dates = {
      status: "booked" as const,
      bookedOn: entry.day,
      valueOn: entry.valueOn ?? null,
      enteredOn: sql`least(${ledgerEntry.enteredOn}, ${entry.day})`,
      changedAt: changedAt(entry, now),
    };
    const sides = eq(ledgerEntry.transferId, transferId);
    await tx.update(ledgerEntry).set(dates).where(sides);
    const ours = and(sides, eq(ledgerEntry.accountId, accountId));
    await tx.update(ledgerEntry).set(seenBy(entry)).where(ours);
  }
}

/** What the account gets, the clearing account of its currency gives. */
function bothSides(entry: NewEntry, { accountId, clearingId, now }: Sides): readonly Row[] {
  const { status, amountMinor, day, bankTransactionCode } = entry;
  const common = {
    transferId: randomUUID(),
    status,
    enteredOn: day,
    bookedOn: status === "booked" ? day : null,
    valueOn: entry.valueOn ?? null,
    changedAt: changedAt(entry, now),
    bankTransactionCode,
  };
  const newId = () => randomUUID() as string as TransactionId;
  return [
    { ...common, id: newId(), accountId, amountMinor, ...seenBy(entry) },
    { ...common, id: newId(), accountId: clearingId, amountMinor: -amountMinor },
  ];
}

function seenBy({ counterparty, remittance, endToEndId, reference, ...entry }: NewEntry) {
  return {
    counterpartyName: counterparty.name ?? null,
    counterpartyIban: counterparty.iban ?? null,
    counterpartyBic: counterparty.bic ?? null,
    remittance: remittance ?? null,
    endToEndId: endToEndId ?? null,
    entryReference: reference ?? null,
    bankTransactionCode: entry.bankTransactionCode,
  };
}

/** The morning of the day it speaks of: a statement tells no hour. Never later than now. */
function changedAt({ day }: NewEntry, now: Date): Date {
  const morning = new Date(`${day}T06:00:00Z`);
  return morning < now ? morning : now;
}
