import { eq, type SQL, sql } from "drizzle-orm";
import type { Balance } from "@/lib/domain/account-access/bank-account";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { CoreBank } from "@/lib/domain/core-bank";
import { type AccountId, isUuid } from "@/lib/domain/identifiers";
import { addDays, dayIn, type IsoDate } from "@/lib/domain/iso-date";
import type { Currency, Money } from "@/lib/domain/money";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerDay } from "../../../drizzle/schema/ledger/day";
import { accountsColumn, oneRow } from "./accounts-shown";
import { nextBusinessDay } from "./business-days";
import type { LedgerReader } from "./database";
import { isOneOf, listOf } from "./is-one-of";
import { isPaymentAccount } from "./payment-account";

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
