import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { dayIn } from "@/lib/domain/iso-date";
import { ledgerAccount } from "../../drizzle/schema/ledger/account";
import { accountOwner } from "../../drizzle/schema/ledger/account-owner";
import { customer } from "../../drizzle/schema/ledger/customer";
import { ledgerEntry } from "../../drizzle/schema/ledger/entry";
import { standingOrder } from "../../drizzle/schema/ledger/standing-order";
import { type AccountIds, accountRows, ledgerKeys, ownerRows } from "./demo-bank-accounts";
import {
  type CustomerIds,
  type CustomerKey,
  customerRows,
  demoCustomers,
} from "./demo-bank-customers";
import { demoMovements } from "./demo-bank-entries";
import { entriesOf } from "./demo-bank-movement";
import { standingOrderRows } from "./demo-bank-standing-orders";

/** A statement takes 65,534 parameters and an entry has 16. */
const ROWS_PER_INSERT = 1_000;

/**
 * Fills the demo bank when it is not there: all of it or nothing, whoever else does the same at the
 * same time. The migrations must have been applied. A bank that is there stays as it is.
 */
export async function fillDemoBank(databaseUrl: string, now: Date): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const database = drizzle(sql);
    const found = await database
      .select({ id: customer.id })
      .from(customer)
      .where(eq(customer.userId, demoCustomers.ana.userId));
    if (found.length === 0) await fill(database, now);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function fill(database: PostgresJsDatabase, now: Date): Promise<void> {
  const customerKeys = Object.keys(demoCustomers) as CustomerKey[];
  const customerIds: CustomerIds = newIds(customerKeys);
  const accountIds: AccountIds = newIds(ledgerKeys);
  const [first, ...others] = await customerRows(customerIds);
  if (first === undefined) throw new Error("the demo bank has no customers");
  const today = dayIn(aspspProfile.timeZone, now);
  const entries = demoMovements(today).flatMap((movement, index) =>
    entriesOf(movement, `DRW${String(index + 1).padStart(9, "0")}`, accountIds, now),
  );

  await database.transaction(async (tx) => {
    // The unique user ID decides between two that start at once: the second waits here, and goes.
    const won = await tx
      .insert(customer)
      .values(first)
      .onConflictDoNothing({ target: customer.userId })
      .returning({ id: customer.id });
    if (won.length === 0) return;
    await tx.insert(customer).values(others);
    await tx.insert(ledgerAccount).values([...accountRows(accountIds)]);
    await tx.insert(accountOwner).values([...ownerRows(accountIds, customerIds)]);
    for (let start = 0; start < entries.length; start += ROWS_PER_INSERT) {
      await tx.insert(ledgerEntry).values(entries.slice(start, start + ROWS_PER_INSERT));
    }
    await tx.insert(standingOrder).values([...standingOrderRows(accountIds, today)]);
  });
}

function newIds<Key extends string, Id extends string>(keys: readonly Key[]): Record<Key, Id> {
  return Object.fromEntries(keys.map((key) => [key, randomUUID()])) as Record<Key, Id>;
}
