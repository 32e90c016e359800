import { and, eq } from "drizzle-orm";
import type { Iban } from "@/lib/domain/iban";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import type { Money } from "@/lib/domain/money";
import { importedStatement } from "../../../drizzle/schema/ledger/imported-statement";
import type { ClearingAccounts } from "../ledger/clearing-accounts";
import type { LedgerTransaction } from "../ledger/database";
import { checkContinues } from "./check-continues";
import { bookKnownEntries, enterEntries } from "./enter-entries";
import { knownEntries } from "./known-entries";
import { openAccount } from "./open-account";
import { openingEntry } from "./opening-entry";
import type { Statement } from "./statement";
import { refuse } from "./statement-error";

/** What an import has changed. */
export type ImportedStatement = {
  readonly id: string;
  readonly iban: Iban;
  readonly closing: Money;
  /** Whether the account was opened by it. */
  readonly isNewAccount: boolean;
  /** Whether the statement was there before: then nothing has changed. */
  readonly isKnown: boolean;
  /** Entries added, the opening balance not counted. */
  readonly added: number;
  /** Entries that were pending and now are booked. */
  readonly booked: number;
  /** Entries that the ledger had. */
  readonly unchanged: number;
  readonly leftOut: number;
};

type Order = {
  readonly statement: Statement;
  readonly ownerId: PsuId;
  readonly clearing: ClearingAccounts;
  readonly now: Date;
};

/** Enters what is new of one statement, or refuses it with a StatementError. */
export async function importStatement(
  tx: LedgerTransaction,
  { statement, ownerId, clearing, now }: Order,
): Promise<ImportedStatement> {
  const { account, entries, id, leftOut } = statement;
  const opened = await openAccount(tx, statement, ownerId);
  const isKnown = !(await isFirst(tx, opened.id, statement, now));
  const known = await knownEntries(tx, opened.id, entries);
  if (isKnown && (known.added.length > 0 || known.booked.length > 0)) {
    refuse(statement.place, `statement ${id} was imported before, with other entries`);
  }
  if (!opened.isNew && !isKnown) await checkContinues(tx, opened.id, statement, known);
  const sides = { accountId: opened.id, clearingId: clearingOf(clearing, statement), now };
  const opening = opened.isNew ? openingEntry(statement) : [];
  await enterEntries(tx, [...opening, ...known.added], sides);
  await bookKnownEntries(tx, known.booked, sides);
  return {
    id,
    iban: account.iban,
    closing: { currency: account.currency, minorUnits: statement.closing.amountMinor },
    isNewAccount: opened.isNew,
    isKnown,
    added: known.added.length,
    booked: known.booked.length,
    unchanged: known.unchanged,
    leftOut,
  };
}

/** The primary key decides; a statement that comes again must have the same balances. */
async function isFirst(
  tx: LedgerTransaction,
  accountId: AccountId,
  { place, id, opening, closing }: Statement,
  now: Date,
): Promise<boolean> {
  const balances = { openingMinor: opening.amountMinor, closingMinor: closing.amountMinor };
  const added = await tx
    .insert(importedStatement)
    .values({ accountId, statementId: id, ...balances, importedAt: now })
    .onConflictDoNothing()
    .returning({ id: importedStatement.statementId });
  if (added.length > 0) return true;
  const [before] = await tx
    .select()
    .from(importedStatement)
    .where(and(eq(importedStatement.accountId, accountId), eq(importedStatement.statementId, id)));
  const same =
    before?.openingMinor === balances.openingMinor && before.closingMinor === balances.closingMinor;
  return same ? false : refuse(place, `statement ${id} was imported before, with other balances`);
}

function clearingOf(clearing: ClearingAccounts, { place, account }: Statement): AccountId {
  const found = clearing.get(account.currency);
  return found ?? refuse(place, `there is no clearing account in ${account.currency}`);
}
