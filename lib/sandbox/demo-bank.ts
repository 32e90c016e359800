import { randomUUID } from "node:crypto";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type Books, enterBooks } from "@/lib/core-bank/ledger/enter-books";
import { enterPsus, findPsuByUserId } from "@/lib/core-bank/psu-directory";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountId } from "@/lib/domain/identifiers";
import { dayIn } from "@/lib/domain/iso-date";
import { accountRows, type LedgerKey, ledgerKeys, ownerRows } from "./demo-bank-accounts";
import { customerRows, demoCustomers, demoPsus } from "./demo-bank-customers";
import { demoMovements } from "./demo-bank-entries";
import { entriesOf } from "./demo-bank-movement";
import { standingOrderRows } from "./demo-bank-standing-orders";

/**
 * Fills the demo bank when it is not there: all of its books or nothing, then those who sign in, whatever
 * other process does the same at the same time. The migrations must have been applied. A bank that is there
 * stays as it is.
 */
export async function fillDemoBank(databaseUrl: string, now: Date): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const database = drizzle(sql);
    if ((await findPsuByUserId(database)(demoCustomers.ana.userId)) !== undefined) return;
    // Their ids are always the same: what a start that was killed in between has left undone, the next one does.
    await enterBooks(database, demoBooks(now));
    await enterPsus(database, demoPsus);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function demoBooks(now: Date): Books {
  const ids = Object.fromEntries(ledgerKeys.map((key) => [key, randomUUID()]));
  const accountIds = ids as Record<LedgerKey, AccountId>;
  const today = dayIn(aspspProfile.timeZone, now);
  return {
    customers: customerRows,
    accounts: accountRows(accountIds),
    owners: ownerRows(accountIds),
    entries: demoMovements(today).flatMap((movement, index) =>
      entriesOf(movement, `DRW${String(index + 1).padStart(9, "0")}`, accountIds, now),
    ),
    standingOrders: standingOrderRows(accountIds, today),
  };
}
