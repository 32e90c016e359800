import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type postgres from "postgres";
import { fundsConsent, fundsSearch } from "@/drizzle/schema/drawbridge";
import type { FundsConsentDecision } from "@/lib/domain/authorisation";
import { consentMayBecome } from "@/lib/domain/consents";
import type {
  FundsCheck,
  FundsConsent,
  FundsConsentStore,
  FundsConsentTransition,
  FundsQuestion,
  FundsSearchLimits,
  FundsVerdict,
} from "@/lib/domain/funds";
import type { ConsentId, Currency } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import {
  closeChallenge,
  endWithAuthorisation,
  lockOpenChallenge,
  startingWith,
} from "./authorisation-rows";
import { atomically, type Database, type Transaction } from "./client";
import { finder, joined, rowInserter } from "./columns";

export function fundsConsentStore(db: Database): FundsConsentStore {
  const one = (name: string, where: SQL | undefined) =>
    finder(fundsConsentRows(db, where, 1).prepare(name), toFundsConsent);
  const id = sql.placeholder("id");
  const isTpps = eq(fundsConsent.tppId, sql.placeholder("tppId"));
  const ofTpp = one("funds_consent_of_tpp", and(eq(fundsConsent.id, id), isTpps));
  return {
    insert: (consent, started, openMax) =>
      startingWith(db, started, openMax, (tag) =>
        insertedRow(tag, { ...consent, ...consent.account }),
      ),
    find: one("funds_consent_by_id", eq(fundsConsent.id, id)),
    findOfTpp: (consentId, tppId) => ofTpp(consentId, { tppId }),
    findByAuthorisation: one(
      "funds_consent_of_authorisation",
      eq(fundsConsent.authorisationId, id),
    ),
    end: (transition) => endFundsConsent(db, transition),
  };
}

const insertedRow = rowInserter(fundsConsent);

/** The card that ran out first comes first. */
function fundsConsentRows(db: Database, where: SQL | undefined, limit: number) {
  return db
    .select()
    .from(fundsConsent)
    .where(where)
    .orderBy(asc(fundsConsent.cardExpiryDate))
    .limit(limit);
}

export async function selectFundsConsents(
  db: Database,
  where: SQL | undefined,
  limit: number,
): Promise<readonly FundsConsent[]> {
  return (await fundsConsentRows(db, where, limit)).map(toFundsConsent);
}

/** Throws on a change that the table of states does not know. */
async function endFundsConsent(
  db: Database,
  { consentId, from, to, at, requestId }: FundsConsentTransition,
): Promise<boolean> {
  if (to === "valid" || !consentMayBecome(from, to)) {
    throw new Error(`no funds consent ends ${from} to ${to}`);
  }
  return endWithAuthorisation(db, { kind: "PIIS", resourceId: consentId, at, requestId }, (tx) =>
    tx
      .update(fundsConsent)
      .set({ status: to, endedAt: at })
      .where(and(eq(fundsConsent.id, consentId), eq(fundsConsent.status, from))),
  );
}

/** Locks the authorisation before the consent, and writes only once every condition holds. */
export function finaliseFundsConsent(
  db: Database,
  { authorisationId, consentId, accountId, psuId, ...decision }: FundsConsentDecision,
): Promise<boolean> {
  return atomically(db, async (tx) => {
    const confirmed = { ...decision, authorisationId, psuId };
    const resource = { kind: "PIIS", resourceId: consentId, selection: [accountId] } as const;
    if ((await lockOpenChallenge(tx, { ...confirmed, ...resource })) === undefined) return false;
    const { count } = await tx
      .update(fundsConsent)
      .set({ status: "valid", psuId, accountId, authorisedAt: decision.at })
      .where(and(eq(fundsConsent.id, consentId), eq(fundsConsent.status, "received")));
    if (count === 0) return false;
    await closeChallenge(tx, confirmed);
    return true;
  });
}

/** Follows from the failure of its authorisation; a consent that is authorised stays as it is. */
export async function rejectFundsConsent(tx: Transaction, id: ConsentId, at: Date): Promise<void> {
  await tx
    .update(fundsConsent)
    .set({ status: "rejected", endedAt: at })
    .where(and(eq(fundsConsent.id, id), eq(fundsConsent.status, "received")));
}

type FundsConsentRow = typeof fundsConsent.$inferSelect;

function toFundsConsent(row: FundsConsentRow): FundsConsent {
  const { iban, currency, endedAt: _, ...consent } = row;
  return { ...withoutNulls(consent), account: withoutNulls({ iban, currency }) };
}

const { selection, read } = joined(fundsConsent, "consent");

/** With the columns of a left join as `consent`, which are all null when there is none. */
export type FundsConsentColumns = {
  readonly searchCurrency: Currency | null;
  readonly floorMinor: string | null;
  readonly ceilingMinor: string | null;
};

export function fundsConsentColumns(sql: postgres.Sql): postgres.Fragment {
  return sql`${sql.unsafe(selection)}, search.currency as "searchCurrency", search.floor_minor as "floorMinor",
    search.ceiling_minor as "ceilingMinor"`;
}

/** With what a check of the funds has told the TPP before. */
export function fundsConsentJoin(sql: postgres.Sql, id: string): postgres.Fragment {
  return sql`left join funds_consent consent on consent.id = ${id} and consent.tpp_id = named.tpp_id
    left join funds_search search on search.account_id = consent.account_id and search.tpp_id = consent.tpp_id`;
}

export function readFundsConsent(row: FundsConsentColumns): FundsConsent | undefined {
  const { searchCurrency: currency, floorMinor, ceilingMinor } = row;
  const columns = read(row);
  const consent = columns && toFundsConsent(columns);
  if (consent === undefined || currency === null) return consent;
  const known = [floorMinor, ceilingMinor].filter((minor) => minor !== null);
  const answeredAmounts = known.map((minor) => ({ currency, minorUnits: BigInt(minor) }));
  return { ...consent, answeredAmounts };
}

export function fundsCheck({ $client }: Database): FundsCheck {
  return {
    take: async (question) => {
      const [row] = await $client.run((sql) => taking(sql, question));
      return row && toVerdict(row, question);
    },
  };
}

type Row = {
  /** Null where none was left. */
  readonly left: number | null;
  readonly leftBefore: number | null;
  readonly refusedSeconds: number | null;
};

/**
 * One check of the consent taken from those it has saved up and logged, and what its answer tells of the funds. Among
 * checks that come together the budget's row decides and then that of the search, always in this order, so that they
 * wait for each other and never in a circle. A consent that has visibly used them up is turned away without a write or
 * a lock. The line of the access log is in the same statement: a card's holder waits at the till. What is refused is no
 * answer and has no line.
 */
function taking(sql: postgres.Sql, question: FundsQuestion) {
  const { now, checksSavedMax, requestId } = question;
  const left = checksLeft(sql, question);
  return sql<Row[]>`
    with asked as (${askedQuestion(sql, question)}),
    taken as (
      insert into funds_check_budget as budget (consent_id, checks_left, at)
      select consent_id, ${checksSavedMax}::float8 - 1, ${now}::timestamptz from asked
      where coalesce(left_before, 1) >= ${LEAST_LEFT}
      on conflict (consent_id) do update
      set checks_left = greatest(0, ${left} - 1), at = greatest(budget.at, ${now}::timestamptz)
      where ${left} >= ${LEAST_LEFT}
      returning consent_id, checks_left
    ),
    judged as (${judgedQuestion(sql, question)}),
    ${question.isFirst === true ? sql`used as (${firstUse(sql, question)}),` : sql``}
    logged as (
      insert into access_log (consent_id, tpp_id, what, account_id, at, attended, request_id)
      select consent_id, tpp_id, 'funds-check', account_id, ${now}::timestamptz, false, ${requestId}::uuid
      from judged where refused_seconds is null
    )
    select taken.checks_left as "left", asked.left_before as "leftBefore",
      (select refused_seconds from judged) as "refusedSeconds"
    from asked left join taken on true`;
}

/** Of checks that come together each believes to be the first, and the row's lock decides. */
function firstUse(sql: postgres.Sql, { consentId, now }: FundsQuestion): postgres.Fragment {
  return sql`update funds_consent set first_used_at = ${now}::timestamptz
    where id = ${consentId} and first_used_at is null
      and exists (select from judged where refused_seconds is null)`;
}

/**
 * Checks come back by the millisecond, and are kept as fractions: less than a millisecond's worth is not to decide, so
 * that a TPP that waits for `Retry-After` is admitted.
 */
const LEAST_LEFT = 1 - 1e-6;

/** Including what has come back by now; a clock that was set back changes nothing. */
function checksLeft(
  sql: postgres.Sql,
  { now, checksSavedMax, secondsPerCheck }: FundsQuestion,
): postgres.Fragment {
  return sql`least(${checksSavedMax}::float8, budget.checks_left
    + greatest(0, extract(epoch from ${now}::timestamptz - budget.at)::float8) / ${secondsPerCheck}::float8)`;
}

/**
 * The open consent, what it has left, and whether the answer would tell anything new; read once for the statement.
 * An amount that was asked before tells nothing new where the same answer follows from earlier ones.
 */
function askedQuestion(sql: postgres.Sql, question: FundsQuestion): postgres.Fragment {
  const { consentId, tppId, today, now, compared, search } = question;
  const [amount, covered, lacking] = amountsOf(sql, compared);
  return sql`
    select consent.id as consent_id, consent.tpp_id, consent.account_id, ${checksLeft(sql, question)} as left_before,
      coalesce(${amount} = any(known.asked_minor)
        and case when ${amount} <= ${covered} then ${amount} <= known.floor_minor and coalesce(${covered} < known.ceiling_minor, true)
          else ${amount} >= known.ceiling_minor and coalesce(known.floor_minor < ${lacking}, true) end
        and known.currency = ${compared?.currency ?? null}
        and ${now}::timestamptz < known.since + ${search.boundsKeptDays} * interval '1 day', false) as nothing_new
    from funds_consent consent
    left join funds_check_budget budget on budget.consent_id = consent.id
    left join funds_search known on known.account_id = consent.account_id and known.tpp_id = consent.tpp_id
    where consent.id = ${consentId} and consent.tpp_id = ${tppId} and consent.status = 'valid'
      and (consent.card_expiry_date is null or consent.card_expiry_date >= ${today})`;
}

/**
 * With the seconds to wait where its answer would help to find the balance. An answer that tells nothing new writes
 * nothing, so that checks of one amount do not wait for each other.
 */
function judgedQuestion(sql: postgres.Sql, question: FundsQuestion): postgres.Fragment {
  const { requestId, now, compared, search, answered } = question;
  const [amount, covered, lacking] = amountsOf(sql, compared);
  return sql`
    select asked.consent_id, tpp_id, account_id, case when ${amount} is not null and not nothing_new then
      note_funds_question(account_id, tpp_id, asked.consent_id, ${requestId}::uuid, ${amount},
        ${compared?.currency ?? null}, ${covered}, ${lacking}, ${now}::timestamptz, ${search.amountsMax}::int,
        ${search.amountsHours} * interval '1 hour', ${search.closestPercent / 100}::numeric,
        ${search.closeAmountsMax}::int, ${search.boundsKeptDays} * interval '1 day')
    end as refused_seconds
    from taken join asked on asked.consent_id = taken.consent_id where ${answered}::boolean`;
}

function amountsOf(sql: postgres.Sql, compared: FundsQuestion["compared"]) {
  const of = (minorUnits: bigint | undefined) => sql`${minorUnits?.toString() ?? null}::bigint`;
  return [
    of(compared?.amountMinor),
    of(compared?.coveredMinor),
    of(compared?.lackingMinor),
  ] as const;
}

function toVerdict(row: Row, question: FundsQuestion): FundsVerdict {
  return {
    admitted: row.left !== null,
    retryAfterSeconds: waitFor(row, question),
    ...(row.refusedSeconds !== null && { searchRetrySeconds: row.refusedSeconds }),
  };
}

/**
 * Rounded up. The row is seen as it was before this check: where others came in between, it may have
 * had one left and has none now.
 */
function waitFor({ left, leftBefore }: Row, { secondsPerCheck }: FundsQuestion): number {
  if (left !== null) return left >= 1 ? 0 : Math.ceil((1 - left) * secondsPerCheck);
  const missing = 1 - Math.min(leftBefore ?? 0, 1);
  return Math.max(1, Math.ceil(missing * secondsPerCheck));
}

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
