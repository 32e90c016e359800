import type postgres from "postgres";
import type { Balance } from "@/lib/domain/accounts";
import type { AspspProfile } from "@/lib/domain/bank-profile";
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
import { accountsShown, isOwnedBy, isShown, type OwnedAccount, toAccounts } from "./accounts";
import { type LedgerStatements, listOf } from "./database";

/**
 * `closingBooked` is of the last day that is over, `expected` counts everything known, and
 * `forwardAvailable` what is known to have settled by the end of the next business day: a pending entry
 * without a value date is not in it. A balance as of a day is the account's less the few days after it,
 * so that one costs the same however many entries there are.
 */
export function balances(
  { $client }: LedgerStatements,
  { timeZone }: Pick<AspspProfile, "timeZone">,
): CoreBank["balances"] {
  return async ({ customerId, ids }, now) => {
    const known = ids.filter(isUuid);
    const [first, ...others] = known;
    if (first === undefined || !isUuid(customerId)) return [];
    const days = daysOf(dayIn(timeZone, now));
    const [row] = await $client.run((sql) => {
      // Of one account nearly always, and a list is planned for as if it were long.
      const isOne = others.length === 0;
      const which = isOne ? sql`= ${first}` : sql`= any(${listOf(known)}::uuid[])`;
      return accountsAndSums(sql, sql`account.id ${which} and ${isOwnedBy(sql, customerId)}`, days);
    });
    if (row === undefined) return [];
    const sums = new Map(row.sums?.map((sum) => [sum[0], sum]));
    const byId = new Map(toAccounts(row.list).map((account) => [account.id, account]));
    return known.flatMap((wanted) => {
      const [account, sum] = [byId.get(wanted), sums.get(wanted)];
      return account && sum ? [{ account, balances: balancesOf(account.currency, sum, days) }] : [];
    });
  };
}

type Row = { readonly list: readonly OwnedAccount[]; readonly sums: readonly Sums[] | null };

/** Two lists of one instant: the accounts, and what is on them. */
function accountsAndSums(
  sql: postgres.Sql,
  which: postgres.Fragment,
  { closedDay, settlementDay }: Days,
) {
  const bookedAfter = sumAfter(sql, sql`booked_minor`, closedDay);
  const pendingAfter = sumAfter(sql, sql`pending_minor`, settlementDay);
  return sql<Row[]>`
    select ${accountsShown(sql, which)} as list, (
      select json_agg(json_build_array(account.id, (account.booked_minor - ${bookedAfter})::text,
        (account.booked_minor + account.pending_minor)::text,
        (account.booked_minor + account.pending_minor - account.undated_minor - ${pendingAfter})::text,
        (extract(epoch from account.changed_at) * 1000)::float8))
      from ledger_account account where ${which} and ${isShown(sql)}) as sums`;
}

/**
 * The upper bound takes nothing away: with it PostgreSQL expects few days whichever the lower one is, as
 * there are, and keeps its plan.
 */
function sumAfter(sql: postgres.Sql, amount: postgres.Fragment, day: IsoDate): postgres.Fragment {
  return sql`(select coalesce(sum(${amount}), 0) from ledger_day
    where ledger_day.account_id = account.id and ledger_day.day > ${day} and ledger_day.day < 'infinity')`;
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
function daysOf(today: IsoDate): Days {
  if (lately?.today !== today) {
    const days = { closedDay: addDays(today, -1), settlementDay: nextBusinessDay(today) };
    lately = { today, days };
  }
  return lately.days;
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
