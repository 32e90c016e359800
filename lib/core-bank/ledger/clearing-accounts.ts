import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { aspspProfile } from "@/lib/domain/bank-profile";
import type { AccountId, Currency } from "@/lib/domain/values";
import type { LedgerTransaction } from "./database";

export type ClearingAccounts = ReadonlyMap<Currency, AccountId>;

/**
 * The bank's own account for the rest of the world, in each of the currencies; one that is missing is
 * opened. The unique index lets a currency have one only, also when two open it at once.
 */
export async function clearingAccounts(
  tx: Pick<LedgerTransaction, "select" | "insert">,
  currencies: readonly Currency[],
): Promise<ClearingAccounts> {
  const known = await knownAccounts(tx, currencies);
  const missing = currencies.filter((currency) => !known.has(currency)).sort();
  if (missing.length === 0) return known;
  await tx.insert(ledgerAccount).values(missing.map(newAccount)).onConflictDoNothing();
  return knownAccounts(tx, currencies);
}

export async function clearingAccount(
  tx: Pick<LedgerTransaction, "select" | "insert">,
  currency: Currency,
): Promise<AccountId> {
  const found = (await clearingAccounts(tx, [currency])).get(currency);
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

function newAccount(currency: Currency): typeof ledgerAccount.$inferInsert {
  return {
    id: randomUUID() as string as AccountId,
    currency,
    bic: aspspProfile.bic,
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
