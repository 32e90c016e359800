import { randomUUID } from "node:crypto";
import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Iban } from "@/lib/domain/iban";
import { type AccountId, newPaymentId, type PaymentId, type PsuId } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { convert } from "@/lib/domain/payment/exchange-rate";
import {
  accountOwner,
  ledgerAccount,
  ledgerEntry,
  ledgerPayment,
  ledgerPaymentStatus,
} from "../../../drizzle/schema/ledger";
import type { LedgerTransaction as Database, LedgerDatabase } from "./database";
import { paymentExecution } from "./payment-execution";
import { sumsThatDiffer } from "./testing-sums";

export const now = new Date("2026-11-20T10:00:00.123Z");
export const secondsOn = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
export const hoursOn = (hours: number) => secondsOn(hours * 3_600);

export const elsewhere = "DE89370400440532013000" as Iban;
export const money = (currency: string) => currency as Currency;

let numbers = 0;

/** Of this bank, unless another is named, and nobody's yet. */
export function newIban(bank = "DRWB"): Iban {
  numbers += 1;
  return `RO11${bank}${String(numbers).padStart(16, "0")}` as Iban;
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
  const execution = paymentExecution(database);
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
  return [...rows.map(({ currency }) => currency), ...(await sumsThatDiffer(database))];
}
