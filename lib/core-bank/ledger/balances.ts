import { eq, type SQL, sql } from "drizzle-orm";
import { ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerDay } from "@/drizzle/schema/ledger/entries";
import type { Balance } from "@/lib/domain/accounts";
import { aspspProfile } from "@/lib/domain/bank-profile";
import type { CoreBank } from "@/lib/domain/core-bank";
import {
  type AccountId,
  addDays,
  type Currency,
  dayIn,
  type IsoDate,
  isUuid,
  type Money,
} from "@/lib/domain/values";
import { accountsColumn, isPaymentAccount, oneRow } from "./accounts";
import { isOneOf, type LedgerReader, listOf } from "./database";

const { id, bookedMinor, pendingMinor, undatedMinor, changedAt } = ledgerAccount;

/**
 * `closingBooked` is of the last day that is over, `expected` counts everything known, and
 * `forwardAvailable` what is known to have settled by the end of the next business day: a pending entry
 * without a value date is not in it. A balance as of a day is the account's less the few days after it,
 * so that one costs the same however many entries there are.
 */
export function balances(database: LedgerReader): CoreBank["balances"] {
  // Of one account nearly always, and a list is planned for as if it were long.
  const ofOne = prepared(database, eq(id, sql.placeholder("id")), "balances_of_one");
  const ofMany = prepared(database, isOneOf(id, "ids"), "balances");
  return async (ids, now) => {
    const known = ids.filter(isUuid);
    const [first, ...others] = known;
    if (first === undefined) return [];
    const days = daysAt(now);
    const [row] =
      others.length === 0
        ? await ofOne.execute({ id: first, ...days })
        : await ofMany.execute({ ids: listOf(known), ...days });
    const sums = new Map(row?.sums?.map((sum) => [sum[0], sum]));
    const byId = new Map(row?.list.map((account) => [account.id, account]));
    return known.flatMap((wanted) => {
      const [account, sum] = [byId.get(wanted), sums.get(wanted)];
      return account && sum ? [{ account, balances: balancesOf(account.currency, sum, days) }] : [];
    });
  };
}

/** Two lists of one instant: the accounts, and what is on them. */
function prepared(database: LedgerReader, which: SQL, name: string) {
  const closing = sql`${bookedMinor} - ${sumAfter("closedDay", ledgerDay.bookedMinor)}`;
  const expected = sql`${bookedMinor} + ${pendingMinor}`;
  const forward = sql`${expected} - ${undatedMinor} - ${sumAfter("settlementDay", ledgerDay.pendingMinor)}`;
  const milliseconds = sql`(extract(epoch from ${changedAt}) * 1000)::float8`;
  const sums = sql`(
    select json_agg(json_build_array(${id}, (${closing})::text, (${expected})::text, (${forward})::text,
      ${milliseconds}))
    from ${ledgerAccount} where ${which} and ${isPaymentAccount})`;
  return database
    .select({ list: accountsColumn(which), sums: sql<readonly Sums[] | null>`${sums}` })
    .from(oneRow)
    .prepare(name);
}

/** Minor units as text: JSON's numbers are too small for them. */
type Sums = readonly [
  id: AccountId,
  closing: string,
  expected: string,
  forward: string,
  changedAtMilliseconds: number | null,
];

function balancesOf(currency: Currency, sums: Sums, days: Days): readonly Balance[] {
  const [, closing, expected, forward, changedAt] = sums;
  const money = (minorUnits: string): Money => ({ currency, minorUnits: BigInt(minorUnits) });
  const change = changedAt === null ? {} : { lastChangeAt: new Date(changedAt) };
  return [
    { type: "closingBooked", amount: money(closing), referenceDate: days.closedDay },
    { type: "expected", amount: money(expected), ...change },
    { type: "forwardAvailable", amount: money(forward), referenceDate: days.settlementDay },
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

/** Month and day on which TARGET is closed every year; T2 calendar of the Eurosystem. */
const CLOSED = new Set(["01-01", "05-01", "12-25", "12-26"]);

/** The first day after this one on which payments settle. */
export function nextBusinessDay(day: IsoDate): IsoDate {
  const next = addDays(day, 1);
  return isBusinessDay(next) ? next : nextBusinessDay(next);
}

export function isBusinessDay(day: IsoDate): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6 || CLOSED.has(day.slice(5))) return false;
  const easter = easterSunday(Number(day.slice(0, 4)));
  return day !== addDays(easter, -2) && day !== addDays(easter, 1);
}

/** Easter of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
function easterSunday(year: number): IsoDate {
  const moon = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const skipped = century - Math.floor(century / 4);
  const drift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * moon + skipped - drift + 15) % 30;
  const leap = 2 * (century % 4) + 2 * Math.floor(inCentury / 4);
  const toSunday = (32 + leap - epact - (inCentury % 4)) % 7;
  const shift = Math.floor((moon + 11 * epact + 22 * toSunday) / 451);
  const days = epact + toSunday - 7 * shift + 114;
  const month = String(Math.floor(days / 31)).padStart(2, "0");
  return `${year}-${month}-${String((days % 31) + 1).padStart(2, "0")}` as IsoDate;
}
