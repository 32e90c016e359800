import { type SQL, sql } from "drizzle-orm";
import { fundsCheckBudget, fundsConsent, fundsSearch } from "@/drizzle/schema/drawbridge";
import { accountFunds, accountOwner, ledgerAccount } from "@/drizzle/schema/ledger";
import type { FundsQuestion, FundsSearchLimits } from "@/lib/domain/funds-confirmation/funds-check";
import type { Database } from "./client";

const asked = (name: string) => sql.placeholder(name);
const now = sql`${asked("now")}::timestamptz`;
const seconds = (name: string) => sql`(${asked(name)} * interval '1 second')`;

/** The placeholders below, by their values. */
export function searchValues({ asked: question, search, requestId }: FundsQuestion) {
  const { iban, currency, cardNumber, amounts } = question;
  return {
    requestId,
    askedIban: iban,
    askedCurrency: currency ?? null,
    askedCardNumber: cardNumber ?? null,
    currencies: amounts.map((amount) => amount.currency).join(","),
    amounts: amounts.map((amount) => amount.minorUnits).join(","),
    amountsMax: search.amountsMax,
    amountsSeconds: search.amountsHours * 3_600,
    closest: search.closestPercent / 100,
    closeAmountsMax: search.closeAmountsMax,
    boundsSeconds: search.boundsKeptDays * 86_400,
  };
}

/**
 * The consent's account, and whether the question fits the consent: account and card, and what is asked of an account
 * that is enabled can be converted. A property holds these conditions to the domain's. `amount` is there where the
 * answer depends on it. All that the rest of the statement decides by is read here, once.
 */
export function askedQuestion(
  consentAsked: SQL | undefined,
  leftBefore: SQL,
  isOpen: SQL | undefined,
): SQL {
  const [consent, account, known] = [fundsConsent, ledgerAccount, fundsSearch];
  const open = sql`coalesce(${consent.currency}, ${account.currency}, ${asked("askedCurrency")}::text)`;
  const place = sql`array_position(string_to_array(${asked("currencies")}, ','), ${account.currency}::text)`;
  const amount = sql`(string_to_array(${asked("amounts")}, ',')::bigint[])[${place}]`;
  const { availableMinor: available } = accountFunds;
  // Nothing is told by an amount that was asked before and lies outside of bounds that hold.
  const nothingNew = sql`${amount} = any(${known.askedMinor})
    and (${amount} <= ${known.floorMinor} or ${amount} >= ${known.ceilingMinor})
    and coalesce(${known.floorMinor} <= ${available}, true)
    and coalesce(${available} < ${known.ceilingMinor}, true)
    and ${now} < ${known.since} + ${seconds("boundsSeconds")}`;
  const fits = sql`${consent.iban} = ${asked("askedIban")}::text
    and coalesce(${asked("askedCurrency")}::text, ${open}) is not distinct from ${open}
    and (${asked("askedCardNumber")}::text is null or ${consent.cardNumber} is null
      or ${consent.cardNumber} = ${asked("askedCardNumber")}::text)
    and (${account.status} is distinct from 'enabled' or ${place} is not null)`;
  return sql`
    select ${consent.id} as consent_id, ${consent.tppId} as tpp_id, ${consent.accountId} as account_id,
      ${account.currency} as currency, ${account.status} as status, ${available} as available,
      case when ${account.status} = 'enabled' then ${amount} end as amount,
      coalesce(${nothingNew}, false) as nothing_new, ${fits} as fits, ${isOpen} as open, ${leftBefore} as left_before
    from ${consent}
    left join ${fundsCheckBudget} on ${fundsCheckBudget.consentId} = ${consent.id}
    left join ${account} on ${account.id} = ${consent.accountId} and ${account.kind} = 'current'
      and exists (select from ${accountOwner} where ${accountOwner.accountId} = ${account.id}
        and ${accountOwner.customerId}::text = ${consent.psuId})
    left join ${accountFunds} on ${accountFunds.accountId} = ${account.id}
    left join ${known} on ${known.accountId} = ${consent.accountId} and ${known.tppId} = ${consent.tppId}
    where ${consentAsked}`;
}

/**
 * With the seconds to wait where its answer would help to find the balance. Where it tells nothing new, nothing is
 * written, and checks of one amount do not wait for each other.
 */
export const judgedQuestion = sql`
  select asked.consent_id, tpp_id, account_id, case when amount is not null and not nothing_new then
    note_funds_question(account_id, tpp_id, asked.consent_id, ${asked("requestId")}::uuid, amount, available, ${now},
      ${asked("amountsMax")}::int, ${seconds("amountsSeconds")}, ${asked("closest")}::numeric,
      ${asked("closeAmountsMax")}::int, ${seconds("boundsSeconds")})
  end as refused_seconds
  from taken join asked on asked.consent_id = taken.consent_id where fits`;

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
