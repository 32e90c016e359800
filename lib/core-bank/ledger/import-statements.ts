import { randomUUID } from "node:crypto";
import { and, eq, isNotNull, lte, max, sql } from "drizzle-orm";
import { makePgArray } from "drizzle-orm/pg-core";
import { accountOwner, ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { importedStatement, ledgerEntry } from "@/drizzle/schema/ledger/entries";
import type { Counterparty, Transaction } from "@/lib/domain/accounts";
import {
  type AccountId,
  addDays,
  type Currency,
  formatAmount,
  type Iban,
  type IsoDate,
  type Money,
  type PsuId,
} from "@/lib/domain/values";
import type { LedgerDatabase, LedgerTransaction } from "./database";
import {
  type ClearingAccounts,
  clearingAccounts,
  counterpartyColumns,
  enterTransfers,
  type Transfer,
} from "./entries";

/** Where something stands in the file that it was read from. */
export type Place = { readonly line: number; readonly path: string };

/** A statement that is complete and adds up. Amounts are minor units, negative is a debit. */
export type Statement = {
  readonly place: Place;
  readonly id: string;
  readonly account: {
    readonly iban: Iban;
    readonly currency: Currency;
    readonly bic: string;
    readonly name: string;
    readonly product: string;
    readonly kind: "current" | "savings" | "loan";
  };
  readonly opening: StatedBalance;
  readonly closing: StatedBalance;
  readonly entries: readonly StatementEntry[];
  /** How many entries of the file move no money: for information only, of a day to come, or of zero. */
  readonly leftOut: number;
};

type StatedBalance = {
  readonly place: Place;
  readonly amountMinor: bigint;
  readonly day: IsoDate;
};

export type StatementEntry = {
  readonly place: Place;
  /** What a later statement knows the entry by. */
  readonly reference: string;
  readonly status: Transaction["status"];
  readonly amountMinor: bigint;
  /** The booking date; for a pending entry the day it was entered. */
  readonly day: IsoDate;
  readonly valueOn: IsoDate | undefined;
  readonly counterparty: Counterparty;
  readonly remittance: string | undefined;
  readonly endToEndId: string | undefined;
  readonly bankTransactionCode: string;
};

/** Why a file is refused, in one sentence that names the place. Nothing of it is in the ledger then. */
export class StatementError extends Error {
  override readonly name = "StatementError";
}

export function refuse({ line, path }: Place, reason: string): never {
  throw new StatementError(`line ${line}, ${path}: ${reason}`);
}

type Import = {
  readonly statements: readonly Statement[];
  /** Whose account a new one becomes. */
  readonly ownerId: PsuId;
  /** Of the bank's own accounts. */
  readonly bic: string;
  readonly now: Date;
};

/**
 * Enters the statements of a file, all of them or none: a StatementError says which one the ledger
 * has no place for. Imports at the same time queue at the account, and locks are taken in one order,
 * by currency and then by account, so that two files never wait for each other.
 */
export async function importStatements(
  database: LedgerDatabase,
  { statements, ownerId, bic, now }: Import,
): Promise<readonly ImportedStatement[]> {
  const keyOf = ({ account }: Statement) => `${account.iban} ${account.currency}`;
  // Statements of one account keep the order of the file: each begins where the one before ends.
  const inOrder = statements.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other), "en"));
  const currencies = new Set(inOrder.map(({ account }) => account.currency));
  return database.transaction(async (tx) => {
    const clearing = await clearingAccounts(tx, [...currencies].sort(), { bic });
    const imported: ImportedStatement[] = [];
    for (const statement of inOrder) {
      imported.push(await importStatement(tx, { statement, ownerId, clearing, now }));
    }
    return imported;
  });
}

export type ImportedStatement = {
  readonly id: string;
  readonly iban: Iban;
  readonly closing: Money;
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

type Order = Omit<Import, "statements" | "bic"> & {
  readonly statement: Statement;
  readonly clearing: ClearingAccounts;
};

/** Enters what is new of one statement, or refuses it with a StatementError. */
async function importStatement(
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
  const clearingId =
    clearing.get(account.currency) ??
    refuse(statement.place, `there is no clearing account in ${account.currency}`);
  const order = { accountId: opened.id, now };
  const added = [...(opened.isNew ? openingEntry(statement) : []), ...known.added];
  const transfers = added.map((entry) => transferOf(entry, order));
  await enterTransfers(tx, transfers, clearingId);
  await bookKnownEntries(tx, known.booked, order);
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

/** The primary key decides; a statement that is imported again must have the same balances. */
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

/**
 * The account of a statement, opened for the owner when the ledger does not have it. It is locked until the end of
 * the transaction, so no other import changes it meanwhile. Refuses an account that is closed or of another customer.
 */
async function openAccount(tx: LedgerTransaction, statement: Statement, ownerId: PsuId) {
  const [last] = await tx.select({ position: max(ledgerAccount.position) }).from(ledgerAccount);
  // The first account of an IBAN is its default one; a second currency of it is none.
  for (const isDefault of [true, false]) {
    const [row] = await tx
      .insert(ledgerAccount)
      .values({
        ...statement.account,
        id: randomUUID() as string as AccountId,
        usage: "PRIV",
        status: "enabled",
        isDefault,
        overdraftMinor: 0n,
        position: (last?.position ?? 0) + 1,
      })
      .onConflictDoNothing()
      .returning({ id: ledgerAccount.id });
    if (row) {
      const owner = { accountId: row.id, customerId: ownerId, role: "owner" as const };
      await tx.insert(accountOwner).values(owner);
      return { id: row.id, isNew: true };
    }
  }
  return { id: await lockAccount(tx, statement, ownerId), isNew: false };
}

async function lockAccount(
  tx: LedgerTransaction,
  { place, account }: Statement,
  ownerId: PsuId,
): Promise<AccountId> {
  const { iban, currency } = account;
  const [row] = await tx
    .select({ id: ledgerAccount.id, status: ledgerAccount.status })
    .from(ledgerAccount)
    .where(and(eq(ledgerAccount.iban, iban), eq(ledgerAccount.currency, currency)))
    .for("update");
  if (row === undefined) return refuse(place, `account ${iban} ${currency} cannot be opened`);
  if (row.status === "deleted") refuse(place, `account ${iban} ${currency} is closed`);
  const owners = await tx
    .select({ id: accountOwner.customerId })
    .from(accountOwner)
    .where(and(eq(accountOwner.accountId, row.id), eq(accountOwner.customerId, ownerId)));
  if (owners.length === 0) {
    refuse(place, `account ${iban} ${currency} is in the ledger and belongs to somebody else`);
  }
  return row.id;
}

/**
 * What the account had when it came here, as an entry of the day before the first booking: balances
 * are sums of entries and nothing else. None when there was nothing.
 */
function openingEntry({ opening, entries }: Statement): readonly NewEntry[] {
  if (opening.amountMinor === 0n) return [];
  const days = entries.flatMap(({ status, day }) => (status === "booked" ? [day] : [])).sort();
  const [first] = days;
  const day = first === undefined ? opening.day : addDays(first, -1);
  return [
    {
      status: "booked",
      amountMinor: opening.amountMinor,
      day,
      valueOn: day,
      counterparty: {},
      remittance: "Opening balance",
      endToEndId: undefined,
      reference: undefined,
      // Account management, opening and closing, account opening.
      bankTransactionCode: "ACMT-OPCL-ACCO",
    },
  ];
}

/**
 * A statement goes on from what the ledger has: its opening balance is the booked balance up to its
 * last day without its own entries. Those of its entries that the ledger has may overlap; a
 * statement that is missing in between, or one slipped in before later entries, is a gap.
 */
async function checkContinues(
  tx: LedgerTransaction,
  accountId: AccountId,
  statement: Statement,
  known: KnownEntries,
): Promise<void> {
  const { opening, account } = statement;
  const day = lastDay(statement);
  const { sum, goesOn } = await bookedAt(tx, accountId, day);
  const before = BigInt(sum) - known.bookedBeforeMinor;
  if (before !== opening.amountMinor) {
    refuse(
      opening.place,
      `the opening balance is ${formatAmount(opening.amountMinor)}, the ledger has ${formatAmount(before)} ${account.currency} booked before: there is a gap`,
    );
  }
  const books = [...known.added, ...known.booked.map(({ entry }) => entry)];
  const first = books.find(({ status }) => status === "booked");
  if (first && goesOn) {
    refuse(first.place, `the ledger has later entries, and ${first.reference} is not among them`);
  }
}

function lastDay({ closing, entries }: Statement): IsoDate {
  return entries.reduce(
    (last, { status, day }) => (status === "booked" && day > last ? day : last),
    closing.day,
  );
}

/** What is booked up to this day, and whether anything is booked later. */
async function bookedAt(tx: LedgerTransaction, accountId: AccountId, day: IsoDate) {
  const { amountMinor, bookedOn } = ledgerEntry;
  const until = lte(bookedOn, day);
  const [row] = await tx
    .select({
      sum: sql<string>`coalesce(sum(${amountMinor}) filter (where ${until}), 0)::text`,
      goesOn: sql<boolean>`coalesce(bool_or(not ${until}), false)`,
    })
    .from(ledgerEntry)
    .where(and(eq(ledgerEntry.accountId, accountId), isNotNull(bookedOn)));
  return row ?? { sum: "0", goesOn: false };
}

type KnownEntries = Awaited<ReturnType<typeof knownEntries>>;
type KnownRow = typeof ledgerEntry.$inferSelect;

/** Finds what the ledger has by the entry reference, and refuses the same reference for another entry. */
async function knownEntries(
  tx: LedgerTransaction,
  accountId: AccountId,
  entries: readonly StatementEntry[],
) {
  const references = makePgArray(entries.map(({ reference }) => reference));
  const isAmong = sql`${ledgerEntry.entryReference} = any(${references}::varchar[])`;
  const found = await tx
    .select()
    .from(ledgerEntry)
    .where(and(eq(ledgerEntry.accountId, accountId), isAmong));
  const rows = new Map(found.map((row) => [row.entryReference, row]));
  const added: StatementEntry[] = [];
  const booked: BookedEntry[] = [];
  /** The sum of those that the ledger had booked already. */
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
  // What the ledger has as it is, or has booked since.
  const unchanged = entries.length - added.length - booked.length;
  return { added, booked, unchanged, bookedBeforeMinor };
}

/** Between pending and booked the dates move and texts get fuller; the amount is what it is. */
function differenceOf(entry: StatementEntry, row: KnownRow): string | undefined {
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
  return pairs.find(([, stated, kept]) => (stated ?? null) !== kept)?.[0];
}

type NewEntry = Omit<StatementEntry, "place" | "reference"> & {
  readonly reference: string | undefined;
};

/** A pending entry of the ledger, and as what it is booked now. */
type BookedEntry = { readonly transferId: string; readonly entry: StatementEntry };

type Entering = { readonly accountId: AccountId; readonly now: Date };

/** Row and id stay when a pending entry is booked; so does the other side's. */
async function bookKnownEntries(
  tx: LedgerTransaction,
  booked: readonly BookedEntry[],
  { accountId, now }: Entering,
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

function transferOf(entry: NewEntry, { accountId, now }: Entering): Transfer {
  const { status, amountMinor, day } = entry;
  return {
    transferId: randomUUID(),
    accountId,
    status,
    amountMinor,
    enteredOn: day,
    bookedOn: status === "booked" ? day : null,
    valueOn: entry.valueOn ?? null,
    changedAt: changedAt(entry, now),
    ...seenBy(entry),
  };
}

function seenBy({ counterparty, remittance, endToEndId, reference, ...entry }: NewEntry) {
  return {
    ...counterpartyColumns(counterparty),
    remittance: remittance ?? null,
    endToEndId: endToEndId ?? null,
    entryReference: reference ?? null,
    bankTransactionCode: entry.bankTransactionCode,
  };
}

/** In the morning of its day, since statements have no hours; never later than now. */
function changedAt({ day }: NewEntry, now: Date): Date {
  const morning = new Date(`${day}T06:00:00Z`);
  return morning < now ? morning : now;
}
