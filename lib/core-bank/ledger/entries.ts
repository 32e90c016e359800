import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerEntry } from "@/drizzle/schema/ledger/entries";
import type { Counterparty } from "@/lib/domain/accounts";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { AccountId, Currency, TransactionId } from "@/lib/domain/values";
import type { LedgerTransaction } from "./database";

/** One side of a transfer: the sides of each are to add up to zero. */
export type NewEntry = typeof ledgerEntry.$inferInsert;
export type NewDetails = NonNullable<NewEntry["details"]>;

/** What a customer's account sees of a transfer; the clearing account sees the opposite. */
export type Transfer = Omit<NewEntry, "id">;

/** What the customer's account gets, the clearing account of its currency gives. */
export async function enterTransfers(
  tx: Pick<LedgerTransaction, "insert">,
  transfers: readonly Transfer[],
  clearingId: AccountId,
): Promise<void> {
  await insertEntries(
    tx,
    transfers.flatMap((transfer) => bothSides(transfer, clearingId)),
  );
}

function bothSides(transfer: Transfer, clearingId: AccountId): readonly NewEntry[] {
  const { transferId, status, enteredOn, bookedOn, valueOn, bankTransactionCode } = transfer;
  const newId = () => randomUUID() as string as TransactionId;
  return [
    { ...transfer, id: newId() },
    {
      ...{ transferId, status, enteredOn, bookedOn, valueOn, bankTransactionCode },
      changedAt: transfer.changedAt,
      id: newId(),
      accountId: clearingId,
      amountMinor: -transfer.amountMinor,
    },
  ];
}

/** A statement takes 65,534 parameters and an entry has 16. */
const ROWS_PER_INSERT = 1_000;

export async function insertEntries(
  tx: Pick<LedgerTransaction, "insert">,
  entries: readonly NewEntry[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += ROWS_PER_INSERT) {
    await tx.insert(ledgerEntry).values(entries.slice(start, start + ROWS_PER_INSERT));
  }
}

export function counterpartyColumns({ name, iban, bic }: Counterparty) {
  return {
    counterpartyName: name ?? null,
    counterpartyIban: iban ?? null,
    counterpartyBic: bic ?? null,
  };
}

export type ClearingAccounts = ReadonlyMap<Currency, AccountId>;

/**
 * The bank's own account for the rest of the world, in each of the currencies; one that is missing is
 * opened. The unique index lets a currency have one only, also when two open it at once.
 */
export async function clearingAccounts(
  tx: Pick<LedgerTransaction, "select" | "insert">,
  currencies: readonly Currency[],
  bank: Pick<AspspProfile, "bic">,
): Promise<ClearingAccounts> {
  const known = await knownAccounts(tx, currencies);
  const missing = currencies.filter((currency) => !known.has(currency)).sort();
  if (missing.length === 0) return known;
  const opened = missing.map((currency) => newAccount(currency, bank));
  await tx.insert(ledgerAccount).values(opened).onConflictDoNothing();
  return knownAccounts(tx, currencies);
}

export async function clearingAccount(
  tx: Pick<LedgerTransaction, "select" | "insert">,
  currency: Currency,
  bank: Pick<AspspProfile, "bic">,
): Promise<AccountId> {
  const found = (await clearingAccounts(tx, [currency], bank)).get(currency);
  if (found === undefined) throw new Error(`there is no clearing account in ${currency}`);
  return found;
}

async function knownAccounts(
  tx: Pick<LedgerTransaction, "select">,
  currencies: readonly Currency[],
): Promise<ClearingAccounts> {
  const rows = await tx
    .select({ id: ledgerAccount.id, currency: ledgerAccount.currency })
    .from(ledgerAccount)
    .where(and(eq(ledgerAccount.kind, "internal"), inArray(ledgerAccount.currency, currencies)));
  return new Map(rows.map(({ id, currency }) => [currency, id]));
}

function newAccount(
  currency: Currency,
  { bic }: Pick<AspspProfile, "bic">,
): typeof ledgerAccount.$inferInsert {
  return {
    id: randomUUID() as string as AccountId,
    currency,
    bic,
    name: `Clearing ${currency}`,
    product: "Internal",
    kind: "internal",
    usage: "PRIV",
    status: "enabled",
    isDefault: false,
    overdraftMinor: 0n,
    position: 0,
  };
}
