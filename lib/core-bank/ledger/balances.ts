import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Balance } from "@/lib/domain/account-access/bank-account";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { type AccountId, isUuid } from "@/lib/domain/identifiers";
import { addDays, dayIn, type IsoDate } from "@/lib/domain/iso-date";
import type { Money } from "@/lib/domain/money";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerDay } from "../../../drizzle/schema/ledger/day";
import { nextBusinessDay } from "./business-days";
import type { LedgerReader } from "./database";
import { isOneOf, listOf } from "./is-one-of";
import { isPaymentAccount } from "./payment-account";

const { id, currency, bookedMinor, pendingMinor, undatedMinor, changedAt } = ledgerAccount;

export type ReadBalances = (
  ids: readonly AccountId[],
  now: Date,
) => Promise<ReadonlyMap<AccountId, readonly Balance[]>>;

/**
 * `closingBooked` is of the last day that is over, `expected` counts everything known, and
 * `forwardAvailable` what is known to have settled by the end of the next business day: a pending entry
 * without a value date is not in it. A balance as of a day is the account's less the few days after it,
 * so that one costs the same however many entries there are.
 */
export function balances(database: LedgerReader): ReadBalances {
  // Of one account nearly always, and a list is planned for as if it were long.
  const ofOne = prepared(database, eq(id, sql.placeholder("id")), "balances_of_one");
  const ofMany = prepared(database, isOneOf(id, "ids"), "balances");
  return async (ids, now) => {
    const known = ids.filter(isUuid);
    const [first, ...others] = known;
    if (first === undefined) return new Map();
    const days = daysAt(now);
    const rows =
      others.length === 0
        ? await ofOne.execute({ id: first, ...days })
        : await ofMany.execute({ ids: listOf(known), ...days });
    return new Map(rows.map((row) => [row.id, balancesOf(row, days)]));
  };
}

function prepared(database: LedgerReader, which: SQL, name: string) {
  return database
    .select({
      id,
      currency,
      closing: minor(sql`${bookedMinor} - ${sumAfter("closedDay", ledgerDay.bookedMinor)}`),
      expected: minor(sql`${bookedMinor} + ${pendingMinor}`),
      forward: minor(sql`${bookedMinor} + ${pendingMinor} - ${undatedMinor}
        - ${sumAfter("settlementDay", ledgerDay.pendingMinor)}`),
      changedAt,
    })
    .from(ledgerAccount)
    .where(and(which, isPaymentAccount))
    .prepare(name);
}

type Row = {
  readonly currency: Money["currency"];
  readonly closing: bigint;
  readonly expected: bigint;
  readonly forward: bigint;
  readonly changedAt: Date | null;
};

function balancesOf(row: Row, days: Days): readonly Balance[] {
  const money = (minorUnits: bigint): Money => ({ currency: row.currency, minorUnits });
  const change = row.changedAt === null ? {} : { lastChangeAt: row.changedAt };
  return [
    { type: "closingBooked", amount: money(row.closing), referenceDate: days.closedDay },
    { type: "expected", amount: money(row.expected), ...change },
    { type: "forwardAvailable", amount: money(row.forward), referenceDate: days.settlementDay },
  ];
}

type Days = { readonly closedDay: IsoDate; readonly settlementDay: IsoDate };
let lately: { readonly today: IsoDate; readonly days: Days } | undefined;

/** The same all day. */
function daysAt(now: Date): Days {
  const today = dayIn(aspspProfile.timeZone, now);
  if (lately?.today !== today) {
    const days = { closedDay: addDays(today, -1), settlementDay: nextBusinessDay(today) };
    lately = { today, days };
  }
  return lately.days;
}

type Sum = typeof ledgerDay.bookedMinor | typeof ledgerDay.pendingMinor;

/**
 * The upper bound takes nothing away: with it PostgreSQL expects few days whichever the lower one is, as
 * there are, and keeps its plan.
 */
function sumAfter(day: keyof Days, amount: Sum): SQL {
  return sql`(select coalesce(sum(${amount}), 0) from ${ledgerDay}
    where ${ledgerDay.accountId} = ${id}
      and ${ledgerDay.day} > ${sql.placeholder(day)} and ${ledgerDay.day} < 'infinity')`;
}

/** A sum of bigints is a numeric in PostgreSQL and comes as text. */
function minor(sum: SQL) {
  return sql<bigint>`${sum}`.mapWith((text: string) => BigInt(text));
}
