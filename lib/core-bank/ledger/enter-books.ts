import { accountOwner, customer, ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { standingOrder } from "@/drizzle/schema/ledger/standing-orders";
import type { LedgerDatabase } from "./database";
import { insertEntries, type NewEntry } from "./entries";

export type NewCustomer = typeof customer.$inferInsert;
export type NewAccount = typeof ledgerAccount.$inferInsert;
export type NewOwner = typeof accountOwner.$inferInsert;
export type NewStandingOrder = typeof standingOrder.$inferInsert;

export type Books = {
  readonly customers: readonly [NewCustomer, ...NewCustomer[]];
  readonly accounts: readonly NewAccount[];
  readonly owners: readonly NewOwner[];
  readonly entries: readonly NewEntry[];
  readonly standingOrders: readonly NewStandingOrder[];
};

/** All of it or nothing: of two that enter the same first customer at once, the second changes nothing. */
export async function enterBooks(
  database: LedgerDatabase,
  { customers: [first, ...others], accounts, owners, entries, standingOrders }: Books,
): Promise<void> {
  await database.transaction(async (tx) => {
    const won = await tx
      .insert(customer)
      .values(first)
      .onConflictDoNothing({ target: customer.id })
      .returning({ id: customer.id });
    if (won.length === 0) return;
    if (others.length > 0) await tx.insert(customer).values(others);
    await tx.insert(ledgerAccount).values([...accounts]);
    await tx.insert(accountOwner).values([...owners]);
    await insertEntries(tx, entries);
    if (standingOrders.length > 0) await tx.insert(standingOrder).values([...standingOrders]);
  });
}
