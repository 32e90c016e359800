import { and, eq, inArray, max, sql } from "drizzle-orm";
import type { Balance } from "@/lib/domain/account-access/bank-account";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { type AccountId, isUuid } from "@/lib/domain/identifiers";
import { addDays, dayIn } from "@/lib/domain/iso-date";
import type { Money } from "@/lib/domain/money";
import { ledgerAccount } from "../../../drizzle/schema/ledger-account";
import { ledgerEntry } from "../../../drizzle/schema/ledger-entry";
import { nextBusinessDay } from "./business-days";
import type { LedgerReader } from "./database";
import { isPaymentAccount } from "./payment-account";

/**
 * Balances are sums of entries and are kept nowhere. `closingBooked` is of the last day that is
 * over, `expected` counts everything known, and `forwardAvailable` what is known to have settled by
 * the end of the next business day: a pending entry without a value date is not in it.
 */
export async function balances(
  database: LedgerReader,
  ids: readonly AccountId[],
  now: Date,
): Promise<ReadonlyMap<AccountId, readonly Balance[]>> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return new Map();
  const today = dayIn(aspspProfile.timeZone, now);
  const closedDay = addDays(today, -1);
  const settlementDay = nextBusinessDay(today);
  const amounts = sql`sum(${ledgerEntry.amountMinor})`;

  const rows = await database
    .select({
      id: ledgerAccount.id,
      currency: ledgerAccount.currency,
      closing: minor(sql`${amounts} filter (where ${ledgerEntry.bookedOn} <= ${closedDay})`),
      expected: minor(amounts),
      forward: minor(
        sql`${amounts} filter (where ${ledgerEntry.status} = 'booked' or ${ledgerEntry.valueOn} <= ${settlementDay})`,
      ),
      changedAt: max(ledgerEntry.changedAt),
    })
    .from(ledgerAccount)
    .leftJoin(ledgerEntry, eq(ledgerEntry.accountId, ledgerAccount.id))
    .where(and(inArray(ledgerAccount.id, known), isPaymentAccount))
    .groupBy(ledgerAccount.id);

  return new Map(
    rows.map((row) => {
      const money = (minorUnits: bigint): Money => ({ currency: row.currency, minorUnits });
      const change = row.changedAt === null ? {} : { lastChangeAt: row.changedAt };
      return [
        row.id,
        [
          { type: "closingBooked", amount: money(row.closing), referenceDate: closedDay },
          { type: "expected", amount: money(row.expected), ...change },
          { type: "forwardAvailable", amount: money(row.forward), referenceDate: settlementDay },
        ],
      ];
    }),
  );
}

/** A sum of bigints is a numeric in PostgreSQL and comes as text; no entries, no money. */
function minor(sum: ReturnType<typeof sql>) {
  return sql<bigint>`coalesce(${sum}, 0)`.mapWith((text: string) => BigInt(text));
}
