import { randomUUID } from "node:crypto";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { LedgerDatabase } from "@/lib/core-bank/ledger/database";
import { type Books, enterBooks, type NewStandingOrder } from "@/lib/core-bank/ledger/enter-books";
import { enterPsus, findPsuByUserId } from "@/lib/core-bank/ledger/psu-directory";
import {
  type AccountId,
  addDays,
  dayIn,
  type IsoDate,
  type TransactionId,
} from "@/lib/domain/values";
import { bankProfile } from "@/lib/profile/in-force";
import { DAYS_OF_HISTORY, demoMovements, entriesOf, minor } from "./demo-bank-entries";
import {
  type AccountIds,
  accountRows,
  customerRows,
  demoCustomers,
  demoPsus,
  holderOf,
  type LedgerKey,
  ledgerKeys,
  ownerRows,
  type Party,
  parties,
} from "./demo-bank-people";

/**
 * Fills the demo bank when it is empty: all of its books or nothing, then its users, also when other
 * processes do the same concurrently. The migrations must have been applied. A bank that is there
 * stays as it is.
 */
export async function fillDemoBank(databaseUrl: string, now: Date): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const database = drizzle(sql);
    if ((await findPsuByUserId(database)(demoCustomers.ana.userId)) !== undefined) return;
    // Their ids are always the same: what a start that was killed in between has left undone, the next one does.
    await fillDemoLedger(database, now);
    await enterPsus(database, demoPsus);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The books alone, for a ledger in a database of its own. */
export function fillDemoLedger(database: LedgerDatabase, now: Date): Promise<void> {
  return enterBooks(database, demoBooks(now));
}

function demoBooks(now: Date): Books {
  const ids = Object.fromEntries(ledgerKeys.map((key) => [key, randomUUID()]));
  const accountIds = ids as Record<LedgerKey, AccountId>;
  const today = dayIn(bankProfile().timeZone, now);
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

type Order = readonly [
  day: number,
  amount: string,
  party: Party,
  remittance: string,
  /** From today; without an end where it is missing. */
  endsInDays?: number,
];

/** Ana's; their executions are among the entries of her current account. */
const orders: readonly Order[] = [
  [1, "-2350.00", parties.landlord, "Rent"],
  [12, "-500.00", holderOf("anaSavings"), "Rainy days", 365],
  [15, "-900.00", holderOf("joint"), "Household"],
];

function standingOrderRows(ids: AccountIds, today: IsoDate): readonly NewStandingOrder[] {
  return orders.map(([dayOfExecution, amount, party, remittance, endsInDays]) => ({
    id: randomUUID() as string as TransactionId,
    accountId: ids.anaCurrent,
    amountMinor: minor(amount),
    counterpartyName: party.name,
    counterpartyIban: party.iban,
    counterpartyBic: party.bic,
    remittance,
    startOn: addDays(today, -DAYS_OF_HISTORY),
    ...(endsInDays !== undefined && { endOn: addDays(today, endsInDays) }),
    frequency: "Monthly",
    dayOfExecution,
  }));
}
