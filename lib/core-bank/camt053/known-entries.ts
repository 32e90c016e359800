import { and, eq, inArray } from "drizzle-orm";
import type { AccountId } from "@/lib/domain/identifiers";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import type { LedgerTransaction } from "../ledger/database";
import type { BookedEntry } from "./enter-entries";
import type { StatementEntry } from "./statement";
import { refuse } from "./statement-error";

export type KnownEntries = {
  readonly added: readonly StatementEntry[];
  readonly booked: readonly BookedEntry[];
  /** How many the ledger has as they are, or has booked since. */
  readonly unchanged: number;
  /** The sum of those that the ledger had booked already. */
  readonly bookedBeforeMinor: bigint;
};

/** A statement of SQL takes 65,534 parameters. */
const REFERENCES_PER_SELECT = 5_000;

type Row = typeof ledgerEntry.$inferSelect;

/** Tells what the ledger has by the entry reference, and refuses the same reference for another entry. */
export async function knownEntries(
  tx: LedgerTransaction,
  accountId: AccountId,
  entries: readonly StatementEntry[],
): Promise<KnownEntries> {
  const rows = await rowsOf(tx, accountId, entries);
  const added: StatementEntry[] = [];
  const booked: BookedEntry[] = [];
  let bookedBeforeMinor = 0n;
  for (const entry of entries) {
    const row = rows.get(entry.reference);
    if (row === undefined) {
      added.push(entry);
      continue;
    }
    const difference = differenceOf(entry, row);
    if (difference) {
      refuse(entry.place, `${entry.reference} is in the ledger with another ${difference}`);
    }
    if (row.status === "booked" && entry.status === "booked") bookedBeforeMinor += row.amountMinor;
    if (row.status === "pending" && entry.status === "booked") {
      booked.push({ transferId: row.transferId, entry });
    }
  }
  const unchanged = entries.length - added.length - booked.length;
  return { added, booked, unchanged, bookedBeforeMinor };
}

async function rowsOf(
  tx: LedgerTransaction,
  accountId: AccountId,
  entries: readonly StatementEntry[],
): Promise<ReadonlyMap<string, Row>> {
  const references = entries.map(({ reference }) => reference);
  const found = new Map<string, Row>();
  for (let start = 0; start < references.length; start += REFERENCES_PER_SELECT) {
    const some = references.slice(start, start + REFERENCES_PER_SELECT);
    const rows = await tx
      .select()
      .from(ledgerEntry)
      .where(and(eq(ledgerEntry.accountId, accountId), inArray(ledgerEntry.entryReference, some)));
    for (const row of rows) if (row.entryReference !== null) found.set(row.entryReference, row);
  }
  return found;
}

/** Between pending and booked the dates move and texts get fuller; the amount is what it is. */
function differenceOf(entry: StatementEntry, row: Row): string | undefined {
  if (entry.amountMinor !== row.amountMinor) return "amount";
  if (entry.status !== row.status) return undefined;
  const { counterparty } = entry;
  const pairs: readonly (readonly [string, string | undefined, string | null])[] = [
    ["booking date", entry.day, row.day],
    ["value date", entry.valueOn, row.valueOn],
    ["party", counterparty.name, row.counterpartyName],
    ["party's account", counterparty.iban, row.counterpartyIban],
    ["party's bank", counterparty.bic, row.counterpartyBic],
    ["remittance information", entry.remittance, row.remittance],
    ["end-to-end reference", entry.endToEndId, row.endToEndId],
    ["bank transaction code", entry.bankTransactionCode, row.bankTransactionCode],
  ];
  return pairs.find(([, told, kept]) => (told ?? null) !== kept)?.[0];
}
