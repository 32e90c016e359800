import { accountOwner, customer, ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerEntry } from "@/drizzle/schema/ledger/entries";
import { standingOrder } from "@/drizzle/schema/ledger/standing-orders";
import type { LedgerDatabase } from "./database";

export type NewCustomer = typeof customer.$inferInsert;
export type NewAccount = typeof ledgerAccount.$inferInsert;
export type NewOwner = typeof accountOwner.$inferInsert;
/** One side of a movement: the sides of each are to add up to zero. */
export type NewEntry = typeof ledgerEntry.$inferInsert;
export type NewStandingOrder = typeof standingOrder.$inferInsert;

export type Books = {
  readonly customers: readonly [NewCustomer, ...NewCustomer[]];
  readonly accounts: readonly NewAccount[];
  readonly owners: readonly NewOwner[];
  readonly entries: readonly NewEntry[];
  readonly standingOrders: readonly NewStandingOrder[];
};

/** A statement takes 65,534 parameters and an entry has 16. */
const ROWS_PER_INSERT = 1_000;

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
    for (let start = 0; start < entries.length; start += ROWS_PER_INSERT) {
      await tx.insert(ledgerEntry).values(entries.slice(start, start + ROWS_PER_INSERT));
    }
    if (standingOrders.length > 0) await tx.insert(standingOrder).values([...standingOrders]);
  });
}
