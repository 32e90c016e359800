import { randomUUID } from "node:crypto";
import {
  and,
  eq,
  getTableColumns,
  getTableName,
  getViewName,
  inArray,
  is,
  ne,
  or,
  sql,
} from "drizzle-orm";
import { type PgDatabase, PgTable, PgView } from "drizzle-orm/pg-core";
import type { PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { ledgerPayment, ledgerPaymentStatus, psu } from "@/drizzle/schema/ledger";
import { accountOwner, customer, ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerDay, ledgerEntry } from "@/drizzle/schema/ledger/entries";
import type { AccountOwner } from "@/lib/domain/accounts";
import { convert } from "@/lib/domain/bank-profile";
import {
  type AccountId,
  addDays,
  type Currency,
  type Iban,
  type IsoDate,
  newPaymentId,
  type PaymentId,
  type PsuId,
  type TransactionId,
} from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import * as drawbridgeSchema from "../../../drizzle/schema/drawbridge";
import * as ledgerSchema from "../../../drizzle/schema/ledger";
import type { LedgerTransaction as Database, LedgerDatabase, LedgerReader } from "./database";
import { clearingAccount } from "./entries";
import { paymentExecution } from "./payment-execution";

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

/** A customer who can sign in, with a password that nothing matches unless its hash is given. */
export async function addPsu(
  database: LedgerWriter,
  name: string,
  userId: string,
  passwordHash = "$argon2id$none",
): Promise<PsuId> {
  const id = await addCustomer(database, name);
  await database.insert(psu).values({ id, userId, name, passwordHash });
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
    : clearingAccount(database, currency, aspspProfile);
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

export const now = new Date("2026-11-20T10:00:00.123Z");
export const secondsOn = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
export const hoursOn = (hours: number) => secondsOn(hours * 3_600);

export const elsewhere = "DE89370400440532013000" as Iban;
export const money = (currency: string) => currency as Currency;

let paymentNumbers = 0;

/** Of this bank, unless another is named, and nobody's yet. */
export function newIban(bank = "DRWB"): Iban {
  paymentNumbers += 1;
  return `RO11${bank}${String(paymentNumbers).padStart(16, "0")}` as Iban;
}

export type Given = Partial<typeof ledgerPayment.$inferInsert> & { readonly debtor: AccountId };

/** A payment of EUR 12.50 to another bank that the ledger has accepted now, and that is due at once. */
export async function duePayment(
  database: Database,
  { debtor, ...given }: Given,
): Promise<PaymentId> {
  const account = await accountOf(database, debtor);
  const { amountMinor = 1_250n, currency = money("EUR") } = given;
  const debit = convert({ currency, minorUnits: amountMinor }, account.currency, aspspProfile);
  const row = {
    id: newPaymentId(),
    psuId: account.psuId,
    product: "sepa-credit-transfers" as const,
    amountMinor,
    currency,
    debtorIban: account.iban,
    creditorName: "Lindqvist & Falk GmbH",
    creditorIban: elsewhere,
    rejectWithoutFunds: false,
    authorisedAt: now,
    accountId: debtor,
    debitMinor: debit.minorUnits,
    feeMinor: 0n,
    debitCurrency: account.currency,
    status: "ACCP" as const,
    dueAt: now,
    ...given,
  };
  await database.insert(ledgerPayment).values(row);
  const { id: paymentId, status } = row;
  await database.insert(ledgerPaymentStatus).values({ paymentId, status, at: now });
  return row.id;
}

/** Its state when it has come to its end. */
export async function executed(database: LedgerDatabase & Database, given: Given) {
  const id = await duePayment(database, given);
  const execution = paymentExecution(database, aspspProfile);
  await execution.advance(now, 20);
  await execution.advance(secondsOn(60), 20);
  return stateOf(database, id);
}

export async function stateOf(database: Database, id: PaymentId) {
  const { at: statusAt, reason } = ledgerPaymentStatus;
  const [row] = await database
    .select({ ...getTableColumns(ledgerPayment), statusAt, reason })
    .from(ledgerPayment)
    .innerJoin(
      ledgerPaymentStatus,
      and(
        eq(ledgerPaymentStatus.paymentId, ledgerPayment.id),
        eq(ledgerPaymentStatus.status, ledgerPayment.status),
      ),
    )
    .where(eq(ledgerPayment.id, id));
  if (row === undefined) throw new Error("no such payment");
  return row;
}

/** Each status it has had, in the order of the alphabet. */
export async function statusesOf(database: Database, id: PaymentId): Promise<readonly string[]> {
  const rows = await database
    .select({ status: ledgerPaymentStatus.status })
    .from(ledgerPaymentStatus)
    .where(eq(ledgerPaymentStatus.paymentId, id))
    .orderBy(ledgerPaymentStatus.status);
  return rows.map(({ status }) => status);
}

async function accountOf(database: Database, id: AccountId) {
  const [row] = await database
    .select({
      iban: ledgerAccount.iban,
      currency: ledgerAccount.currency,
      psuId: accountOwner.customerId,
    })
    .from(ledgerAccount)
    .leftJoin(accountOwner, eq(accountOwner.accountId, ledgerAccount.id))
    .where(eq(ledgerAccount.id, id));
  if (row === undefined || row.iban === null) throw new Error("no such account");
  return { ...row, iban: row.iban, psuId: row.psuId ?? (randomUUID() as string as PsuId) };
}

/** What tests before have left over does not happen any more. */
export async function nothingDue(database: Database): Promise<void> {
  await database.update(ledgerPayment).set({ dueAt: null });
}

/** Booked and pending together. */
export async function balanceOf(database: Database, id: AccountId): Promise<bigint> {
  const rows = await database
    .select({ amountMinor: ledgerEntry.amountMinor })
    .from(ledgerEntry)
    .where(eq(ledgerEntry.accountId, id));
  return rows.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** The currencies whose entries do not add up to zero, and the accounts of which another sum is kept. */
export async function moneyMadeOrLost(database: Database): Promise<readonly string[]> {
  const rows = await database
    .select({ currency: ledgerAccount.currency })
    .from(ledgerEntry)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, ledgerEntry.accountId))
    .groupBy(ledgerAccount.currency)
    .having(sql`sum(${ledgerEntry.amountMinor}) <> 0`);
  const differing = await sumsThatDiffer(database);
  const accounts = await database
    .select({ account: ledgerAccount, entry: ledgerEntry })
    .from(ledgerAccount)
    .leftJoin(ledgerEntry, eq(ledgerEntry.accountId, ledgerAccount.id))
    .where(inArray(ledgerAccount.id, [...differing]));
  const shown = JSON.stringify(accounts, (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return [...rows.map(({ currency }) => currency), ...(differing.length === 0 ? [] : [shown])];
}

const { id, kind, bookedMinor, pendingMinor, reservedMinor, undatedMinor, changedAt } =
  ledgerAccount;

/**
 * The accounts for which another sum is kept than their entries add up to, of all or of one day. Of an
 * internal account none is kept.
 */
export async function sumsThatDiffer(database: LedgerReader): Promise<readonly AccountId[]> {
  const rows = await database.select({ id }).from(ledgerAccount).where(or(ofAll, ofDay));
  return rows.map((row) => row.id);
}

const counted = ne(kind, "internal");

const ofAll = sql`row(${bookedMinor}, ${pendingMinor}, ${reservedMinor}, ${undatedMinor}, ${changedAt})
  is distinct from (select row(
    coalesce(sum(e.amount_minor) filter (where e.status = 'booked'), 0)::bigint,
    coalesce(sum(e.amount_minor) filter (where e.status = 'pending'), 0)::bigint,
    coalesce(sum(e.amount_minor) filter (where e.status = 'pending' and e.amount_minor < 0), 0)::bigint,
    coalesce(sum(e.amount_minor) filter (where e.status = 'pending' and e.value_on is null), 0)::bigint,
    max(e.changed_at))
    from ${ledgerEntry} e where e.account_id = ${id} and ${counted})`;

const ofDay = sql`exists (
  select day, sum(booked), sum(pending) from (
    select d.day, d.booked_minor as booked, d.pending_minor as pending
    from ${ledgerDay} d where d.account_id = ${id}
    union all
    select coalesce(e.booked_on, e.value_on),
      case e.status when 'booked' then -e.amount_minor else 0 end,
      case e.status when 'pending' then -e.amount_minor else 0 end
    from ${ledgerEntry} e
    where e.account_id = ${id} and coalesce(e.booked_on, e.value_on) is not null and ${counted}
  ) both_sides group by day having sum(booked) <> 0 or sum(pending) <> 0)`;

/** What has left the accounts with these IBANs, negative, and what has come. */
export async function movesOf(database: postgres.ISql, ibans: readonly string[]) {
  const rows = await database<{ remittance: string | null; amount: string }[]>`
    select entry.remittance, entry.amount_minor::text as amount
    from ledger_entry entry join ledger_account account on account.id = entry.account_id
    where account.iban in ${database(ibans)}`;
  return rows.map(({ remittance, amount }) => ({ remittance, amount: BigInt(amount) }));
}

/** Of all entries, of all authors. */
export async function sumsOfCurrencies(database: postgres.ISql) {
  const rows = await database<{ currency: string; sum: string }[]>`
    select account.currency, sum(entry.amount_minor)::text as sum
    from ledger_entry entry join ledger_account account on account.id = entry.account_id
    group by account.currency`;
  return rows.map(({ currency, sum }) => ({ currency, sum: BigInt(sum) }));
}
