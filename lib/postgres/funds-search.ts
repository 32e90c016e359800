import { type SQL, sql } from "drizzle-orm";
import { fundsCheckBudget, fundsConsent, fundsSearch } from "@/drizzle/schema/drawbridge";
import type { FundsQuestion, FundsSearchLimits } from "@/lib/domain/funds-confirmation/funds-check";
import type { Database } from "./client";

const asked = (name: string) => sql.placeholder(name);
const now = sql`${asked("now")}::timestamptz`;
const seconds = (name: string) => sql`(${asked(name)} * interval '1 second')`;
const amount = sql`${asked("amountMinor")}::bigint`;
const available = sql`${asked("availableMinor")}::bigint`;

/** The placeholders below, by their values. */
export function searchValues({ compared, search, requestId }: FundsQuestion) {
  return {
    requestId,
    amountMinor: compared?.amountMinor.toString() ?? null,
    availableMinor: compared?.availableMinor.toString() ?? null,
    amountsMax: search.amountsMax,
    amountsSeconds: search.amountsHours * 3_600,
    closest: search.closestPercent / 100,
    closeAmountsMax: search.closeAmountsMax,
    boundsSeconds: search.boundsKeptDays * 86_400,
  };
}

/** The open consent, what it has left, and whether the answer would tell anything new; read once for the statement. */
export function askedQuestion(isOpen: SQL | undefined, leftBefore: SQL): SQL {
  const [consent, known] = [fundsConsent, fundsSearch];
  // Nothing is told by an amount that was asked before and lies outside of bounds that hold.
  const nothingNew = sql`${amount} = any(${known.askedMinor})
    and (${amount} <= ${known.floorMinor} or ${amount} >= ${known.ceilingMinor})
    and coalesce(${known.floorMinor} <= ${available}, true)
    and coalesce(${available} < ${known.ceilingMinor}, true)
    and ${now} < ${known.since} + ${seconds("boundsSeconds")}`;
  return sql`
    select ${consent.id} as consent_id, ${consent.tppId} as tpp_id, ${consent.accountId} as account_id,
      coalesce(${nothingNew}, false) as nothing_new, ${leftBefore} as left_before
    from ${consent}
    left join ${fundsCheckBudget} on ${fundsCheckBudget.consentId} = ${consent.id}
    left join ${known} on ${known.accountId} = ${consent.accountId} and ${known.tppId} = ${consent.tppId}
    where ${isOpen}`;
}

/**
 * With the seconds to wait where its answer would help to find the balance. Where it tells nothing new, nothing is
 * written, and checks of one amount do not wait for each other.
 */
export const judgedQuestion = sql`
  select asked.consent_id, tpp_id, account_id, case when ${amount} is not null and not nothing_new then
    note_funds_question(account_id, tpp_id, asked.consent_id, ${asked("requestId")}::uuid, ${amount}, ${available}, ${now},
      ${asked("amountsMax")}::int, ${seconds("amountsSeconds")}, ${asked("closest")}::numeric,
      ${asked("closeAmountsMax")}::int, ${seconds("boundsSeconds")})
  end as refused_seconds
  from taken join asked on asked.consent_id = taken.consent_id where ${asked("answered")}::boolean`;

/**
 * Amounts are removed when they have been asked 24 hours ago, and the rest when the bounds do not hold any more.
 * Yields how many rows were due, `rowsMax` at most.
 */
export async function forgetFundsSearches(
  db: Database,
  { amountsHours, boundsKeptDays }: FundsSearchLimits,
  at: Date,
  rowsMax: number,
): Promise<number> {
  const instant = sql`${at.toISOString()}::timestamptz`;
  const day = sql`${amountsHours} * interval '1 hour'`;
  const kept = sql`${boundsKeptDays} * interval '1 day'`;
  const recent = (column: "amount" | "at") => sql`array(
    select ${sql.raw(`one.${column}`)} from unnest(asked_minor, asked_at) as one (amount, at)
    where one.at > ${instant} - ${day} order by one.at, one.amount)`;
  const isDue = sql`known.account_id = due.account_id and known.tpp_id = due.tpp_id`;
  const isOver = sql`cardinality(due.amounts) = 0 and due.since <= ${instant} - ${kept}`;
  const [row] = await db.execute<{ count: number }>(sql`
    with due as (
      select account_id, tpp_id, since, ${recent("amount")} as amounts, ${recent("at")} as instants
      from ${fundsSearch} where forget_at <= ${instant}
      order by forget_at limit ${rowsMax} for update skip locked
    ),
    gone as (delete from ${fundsSearch} known using due where ${isDue} and ${isOver}),
    left_over as (
      update ${fundsSearch} known set asked_minor = due.amounts, asked_at = due.instants,
        forget_at = case when cardinality(due.instants) = 0 then due.since + ${kept}
          else greatest(due.instants[1] + ${day}, ${instant} + interval '1 hour') end
      from due where ${isDue} and not (${isOver})
    )
    select count(*)::int as count from due`);
  return row?.count ?? 0;
}
