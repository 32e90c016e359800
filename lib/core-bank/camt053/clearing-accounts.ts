import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountId } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { ledgerAccount } from "../../../drizzle/schema/ledger-account";
import type { LedgerTransaction } from "./database";

export type ClearingAccounts = ReadonlyMap<Currency, AccountId>;

/**
 * The bank's own account for the rest of the world, in each of the currencies; one that is missing is
 * opened. The unique index lets a currency have one only.
 */
export async function clearingAccounts(
  tx: LedgerTransaction,
  currencies: readonly Currency[],
): Promise<ClearingAccounts> {
  const found = new Map<Currency, AccountId>();
  for (const currency of currencies) {
    await tx.insert(ledgerAccount).values(clearingAccount(currency)).onConflictDoNothing();
    const [row] = await tx
      .select({ id: ledgerAccount.id })
      .from(ledgerAccount)
      .where(and(eq(ledgerAccount.kind, "internal"), eq(ledgerAccount.currency, currency)));
    if (row) found.set(currency, row.id);
  }
  return found;
}

function clearingAccount(currency: Currency): typeof ledgerAccount.$inferInsert {
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
