import { asc, inArray } from "drizzle-orm";
import type { AccountId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../../drizzle/schema/ledger/account";
import type { LedgerTransaction } from "../database";

const { id, currency, kind, status } = ledgerAccount;

export type LockedAccount = Pick<
  typeof ledgerAccount.$inferSelect,
  "id" | "currency" | "kind" | "status"
>;

/**
 * Customers' accounts, held until the end of the transaction. In the order of their ids: of two that pay
 * each other at once, one waits for the other.
 */
export async function lockAccounts(
  tx: LedgerTransaction,
  ids: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, LockedAccount>> {
  const rows = await tx
    .select({ id, currency, kind, status })
    .from(ledgerAccount)
    .where(inArray(id, ids))
    .orderBy(asc(id))
    .for("no key update");
  return new Map(rows.map((row) => [row.id, row]));
}
