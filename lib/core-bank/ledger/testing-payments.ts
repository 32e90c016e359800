import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Iban } from "@/lib/domain/iban";
import {
  type AccountId,
  newAuthorisationId,
  newPaymentId,
  type PaymentId,
  type PsuId,
  type TppId,
} from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { convert } from "@/lib/domain/payment/exchange-rate";
import { payment } from "../../../drizzle/schema/drawbridge/payment";
import { paymentState } from "../../../drizzle/schema/drawbridge/payment-state";
import { paymentStatusChange } from "../../../drizzle/schema/drawbridge/payment-status-change";
import { tpp } from "../../../drizzle/schema/drawbridge/tpp";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { accountOwner } from "../../../drizzle/schema/ledger/account-owner";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
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

export type Given = Partial<typeof payment.$inferInsert> & {
  readonly debtor: AccountId;
  /** In the currency of the debtor's account. */
  readonly feeMinor?: bigint;
  readonly state?: Partial<typeof paymentState.$inferInsert>;
};

/** A payment of EUR 12.50 to another bank that its PSU has authorised now, and that is due at once. */
export async function duePayment(database: Database, given: Given): Promise<PaymentId> {
  const { debtor, feeMinor = 0n, state, ...order } = given;
  const account = await accountOf(database, debtor);
  const row = {
    id: newPaymentId(),
    tppId: "PSDRO-NBR-1234567" as TppId,
    authorisationId: newAuthorisationId(),
    product: "sepa-credit-transfers" as const,
    amountMinor: 1_250n,
    currency: money("EUR"),
    debtorIban: account.iban,
    creditorName: "Lindqvist & Falk GmbH",
    creditorIban: elsewhere,
    chargeBearer: "SLEV" as const,
    rejectWithoutFunds: false,
    instruction: {},
    createdAt: now,
    ...order,
  };
  const amount = { currency: row.currency, minorUnits: row.amountMinor };
  const authorised = {
    psuId: account.psuId,
    authorisedAt: now,
    debitAccountId: debtor,
    debitMinor: convert(amount, account.currency, aspspProfile).minorUnits,
    feeMinor,
  };
  const named = { name: "Example TPP", authorityName: "NBR", authorityId: "RO-NBR", roles: [] };
  await database
    .insert(tpp)
    .values({ id: row.tppId, ...named, changedAt: now })
    .onConflictDoNothing();
  await database.insert(payment).values(row);
  const states = { paymentId: row.id, statusAt: now };
  await database.insert(paymentState).values({ ...states, status: "RCVD" });
  const ofPayment = eq(paymentState.paymentId, row.id);
  await database
    .update(paymentState)
    .set({ status: "ACTC", ...authorised })
    .where(ofPayment);
  await database
    .update(paymentState)
    .set({ status: "ACCP", dueAt: now, ...state })
    .where(ofPayment);
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
  const [row] = await database.select().from(paymentState).where(eq(paymentState.paymentId, id));
  if (row === undefined) throw new Error("no such payment");
  return row;
}

/** Each status it has had, in the order of the alphabet. */
export async function statusesOf(database: Database, id: PaymentId): Promise<readonly string[]> {
  const rows = await database
    .select({ status: paymentStatusChange.status })
    .from(paymentStatusChange)
    .where(eq(paymentStatusChange.paymentId, id))
    .orderBy(paymentStatusChange.status);
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
  await database.update(paymentState).set({ dueAt: null });
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
