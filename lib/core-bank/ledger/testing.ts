import { randomUUID } from "node:crypto";
import { eq, getTableName, getViewName, is } from "drizzle-orm";
import { type PgDatabase, PgTable, PgView } from "drizzle-orm/pg-core";
import type { PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import type { AccountOwner } from "@/lib/domain/account-access/bank-account";
import type { Iban } from "@/lib/domain/iban";
import type { AccountId, PsuId, TransactionId } from "@/lib/domain/identifiers";
import { addDays, type IsoDate } from "@/lib/domain/iso-date";
import type { Currency } from "@/lib/domain/money";
import * as drawbridgeSchema from "../../../drizzle/schema/drawbridge";
import * as ledgerSchema from "../../../drizzle/schema/ledger";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { accountOwner } from "../../../drizzle/schema/ledger/account-owner";
import { customer } from "../../../drizzle/schema/ledger/customer";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import { clearingAccount } from "./clearing-accounts";

type LedgerWriter = Pick<PgDatabase<PostgresJsQueryResultHKT>, "select" | "insert">;
type Owners = Readonly<Record<PsuId, AccountOwner["role"]>>;
export type NewEntry = Pick<typeof ledgerEntry.$inferInsert, "amountMinor" | "enteredOn"> &
  Partial<typeof ledgerEntry.$inferInsert>;

let numbers = 0;

export async function addCustomer(database: LedgerWriter, name: string): Promise<PsuId> {
  const id = randomUUID() as string as PsuId;
  await database.insert(customer).values({ id, name });
  return id;
}

/** No account is this customer's any more. */
export async function disown(
  database: Pick<PgDatabase<PostgresJsQueryResultHKT>, "delete">,
  customerId: PsuId,
): Promise<void> {
  await database.delete(accountOwner).where(eq(accountOwner.customerId, customerId));
}

export async function addAccount(
  database: LedgerWriter,
  owners: Owners,
  account: Partial<typeof ledgerAccount.$inferInsert> = {},
): Promise<AccountId> {
  numbers += 1;
  const id = randomUUID() as string as AccountId;
  await database.insert(ledgerAccount).values({
    id,
    iban: `RO00DRWB${String(numbers).padStart(16, "0")}` as string as Iban,
    currency: "RON" as string as Currency,
    bic: "DRWBROBU",
    name: "Current account",
    product: "Everyday account",
    kind: "current",
    usage: "PRIV",
    status: "enabled",
    isDefault: true,
    overdraftMinor: 0n,
    position: numbers,
    ...account,
  });
  for (const [customerId, role] of Object.entries(owners)) {
    await database
      .insert(accountOwner)
      .values({ accountId: id, customerId: customerId as PsuId, role });
  }
  return id;
}

/** Entries with their other side, which is nothing to the account. Pending unless they name `bookedOn`. */
export async function addEntries(
  database: LedgerWriter,
  accountId: AccountId,
  entries: readonly NewEntry[],
): Promise<readonly TransactionId[]> {
  if (entries.length === 0) return [];
  const otherId = await otherSideOf(database, accountId);
  const rows = entries.map((entry) => ({
    id: newTransactionId(),
    transferId: randomUUID(),
    accountId,
    status: entry.bookedOn ? ("booked" as const) : ("pending" as const),
    bankTransactionCode: "PMNT-RCDT-ESCT",
    changedAt: new Date(`${entry.bookedOn ?? entry.enteredOn}T06:00:00Z`),
    ...entry,
  }));
  const otherSides = rows.map((row) => ({
    ...row,
    id: newTransactionId(),
    accountId: otherId,
    amountMinor: -row.amountMinor,
    entryReference: undefined,
  }));
  await database.insert(ledgerEntry).values([...rows, ...otherSides]);
  return rows.map((row) => row.id);
}

/** The clearing account of the currency; for that one itself, an account that nobody owns. */
export async function otherSideOf(
  database: LedgerWriter,
  accountId: AccountId,
): Promise<AccountId> {
  const [account] = await database
    .select({ currency: ledgerAccount.currency, kind: ledgerAccount.kind })
    .from(ledgerAccount)
    .where(eq(ledgerAccount.id, accountId));
  if (account === undefined) throw new Error("no such account");
  const { currency, kind } = account;
  return kind === "internal"
    ? addAccount(database, {}, { currency })
    : clearingAccount(database, currency);
}

const newTransactionId = () => randomUUID() as string as TransactionId;

export const day = (text: string) => text as IsoDate;

/** The day on which the ledger's tests take place, a Friday. */
export const today = day("2026-11-20");

export function pendingEntry(daysAgo: number): NewEntry {
  return { amountMinor: 100n, enteredOn: addDays(today, -daysAgo) };
}

export function bookedEntry(daysAgo: number): NewEntry {
  const on = addDays(today, -daysAgo);
  return { amountMinor: 100n, enteredOn: on, bookedOn: on };
}

/** Names of tables and views, as SQL has them. */
export const ledgerTables: readonly string[] = namesIn(ledgerSchema);
export const drawbridgeTables: readonly string[] = namesIn(drawbridgeSchema);

function namesIn(schema: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(schema).flatMap((one) => {
    if (is(one, PgTable)) return [getTableName(one)];
    return is(one, PgView) ? [getViewName(one)] : [];
  });
}

/** Whether a text of SQL reads or writes tables of both sides. */
export function namesBothSides(text: string): boolean {
  const tables = new Set(
    Array.from(
      text.matchAll(
        /\b(?:from|join|into|update|using|table|on)\s+(?:only\s+)?(?:public\.)?"?(\w+)"?/gi,
      ),
      ([, name = ""]) => name,
    ),
  );
  const names = (side: readonly string[]) => side.some((name) => tables.has(name));
  return names(ledgerTables) && names(drawbridgeTables);
}
