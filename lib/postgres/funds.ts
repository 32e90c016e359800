import {
  and,
  asc,
  eq,
  gte,
  isNull,
  not,
  or,
  type Param,
  type Placeholder,
  type SQL,
  sql,
} from "drizzle-orm";
import {
  accessLog,
  fundsCheckBudget,
  fundsConsent,
  fundsSearch,
  oidcPayload,
} from "@/drizzle/schema/drawbridge";
import type { FundsConsentDecision } from "@/lib/domain/authorisation";
import {
  type FundsCheck,
  type FundsConsent,
  type FundsConsentStore,
  type FundsConsentTransition,
  type FundsQuestion,
  type FundsSearchLimits,
  type FundsVerdict,
  fundsConsentMayBecome,
} from "@/lib/domain/funds";
import { type ConsentId, isUuid } from "@/lib/domain/values";
import {
  closeChallenge,
  failOpenAuthorisation,
  lockAuthorisationOf,
  lockOpenChallenge,
  startingWith,
} from "./authorisation-rows";
import { atomically, type Database, type Transaction } from "./client";
import { destroyPayloads } from "./oidc";
import { givenTable } from "./statements";

const consents = givenTable(fundsConsent);

/** An id that is no UUID names no consent: it is answered like any other unknown one. */
export function fundsConsentStore(db: Database): FundsConsentStore {
  const start = startingWith(db, consents);
  const one = (name: string, where: SQL | undefined) => {
    const statement = fundsConsentRows(db, where, 1).prepare(name);
    return async (id: string, given = {}) => {
      if (!isUuid(id)) return undefined;
      const [row] = await statement.execute({ id, ...given });
      return row && toFundsConsent(row);
    };
  };
  const id = sql.placeholder("id");
  const isTpps = eq(fundsConsent.tppId, sql.placeholder("tppId"));
  const ofTpp = one("funds_consent_of_tpp", and(eq(fundsConsent.id, id), isTpps));
  return {
    insert: (consent, started, openMax) => start(started, fromFundsConsent(consent), openMax),
    find: one("funds_consent_by_id", eq(fundsConsent.id, id)),
    findOfTpp: (consentId, tppId) => ofTpp(consentId, { tppId }),
    findByAuthorisation: one(
      "funds_consent_of_authorisation",
      eq(fundsConsent.authorisationId, id),
    ),
    end: (transition) => endFundsConsent(db, transition),
  };
}

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

/** Locks in the order of `endConsent`. Throws on a change that the table of states does not know. */
async function endFundsConsent(db: Database, transition: FundsConsentTransition): Promise<boolean> {
  const { from, to } = transition;
  if (to === "valid" || !fundsConsentMayBecome(from, to)) {
    throw new Error(`no funds consent ends ${from} to ${to}`);
  }
  return atomically(db, (tx) => endWithin(tx, transition));
}

async function endWithin(
  tx: Transaction,
  { consentId, from, to, at }: FundsConsentTransition,
): Promise<boolean> {
  const own = await lockAuthorisationOf(tx, "PIIS", consentId);
  if (own === undefined) return false;
  const ended = await tx
    .update(fundsConsent)
    .set({ status: to, endedAt: at })
    .where(and(eq(fundsConsent.id, consentId), eq(fundsConsent.status, from)))
    .returning({ id: fundsConsent.id });
  if (ended.length === 0) return false;
  await failOpenAuthorisation(tx, { id: own, because: "withdrawn-by-tpp", at });
  await destroyPayloads(tx, eq(oidcPayload.accountId, own));
  return true;
}

/** Writes only once every condition holds; the authorisation is locked before the consent, as everywhere. */
export function finaliseFundsConsent(
  db: Database,
  { authorisationId, consentId, accountId, psuId, ...decision }: FundsConsentDecision,
): Promise<boolean> {
  return atomically(db, async (tx) => {
    const challenge = {
      ...decision,
      authorisationId,
      psuId,
      resourceId: consentId,
      selection: [accountId],
    };
    const tppId = await lockOpenChallenge(tx, { ...challenge, kind: "PIIS" });
    if (tppId === undefined) return false;
    const rows = await tx
      .update(fundsConsent)
      .set({ status: "valid", psuId, accountId, authorisedAt: decision.at })
      .where(and(eq(fundsConsent.id, consentId), eq(fundsConsent.status, "received")))
      .returning({ id: fundsConsent.id });
    if (rows.length === 0) return false;
    await closeChallenge(tx, { ...decision, authorisationId, psuId });
    return true;
  });
}

/** What its authorisation's failure does to a consent that nobody has authorised; others stay as they are. */
export async function rejectFundsConsent(tx: Transaction, id: ConsentId, at: Date): Promise<void> {
  await tx
    .update(fundsConsent)
    .set({ status: "rejected", endedAt: at })
    .where(and(eq(fundsConsent.id, id), eq(fundsConsent.status, "received")));
}

type FundsConsentRow = Omit<typeof fundsConsent.$inferSelect, "endedAt">;

export function toFundsConsent(row: FundsConsentRow): FundsConsent {
  return {
    id: row.id,
    tppId: row.tppId,
    authorisationId: row.authorisationId,
    status: row.status,
    account:
      row.currency === null ? { iban: row.iban } : { iban: row.iban, currency: row.currency },
    cardNumber: row.cardNumber ?? undefined,
    cardExpiryDate: row.cardExpiryDate ?? undefined,
    cardInformation: row.cardInformation ?? undefined,
    registrationInformation: row.registrationInformation ?? undefined,
    createdAt: row.createdAt,
    psuId: row.psuId ?? undefined,
    accountId: row.accountId ?? undefined,
    authorisedAt: row.authorisedAt ?? undefined,
  };
}

function fromFundsConsent(consent: FundsConsent): typeof fundsConsent.$inferInsert {
  const { account, ...columns } = consent;
  return { ...columns, iban: account.iban, currency: account.currency };
}

export function fundsCheck(db: Database): FundsCheck {
  const statement = takeStatement(db);
  return {
    take: async (question) => {
      const { consentId, tppId, today, checksSavedMax, secondsPerCheck, answered } = question;
      const [row] = await statement.execute({
        ...{ consentId, tppId, today, checksSavedMax, secondsPerCheck, answered },
        now: question.now.toISOString(),
        ...searchValues(question),
      });
      return row && toVerdict(row, question);
    },
  };
}

const asked = (name: keyof FundsQuestion) => sql.placeholder(name);
const rate = {
  now: asked("now"),
  checksSavedMax: asked("checksSavedMax"),
  secondsPerCheck: asked("secondsPerCheck"),
};
const isOpen = and(
  eq(fundsConsent.id, asked("consentId")),
  eq(fundsConsent.tppId, asked("tppId")),
  eq(fundsConsent.status, "valid"),
  or(isNull(fundsConsent.cardExpiryDate), gte(fundsConsent.cardExpiryDate, asked("today"))),
);

/**
 * One check of the consent taken from those it has saved up and logged, and what its answer tells of the funds;
 * prepared once for each connection. Among checks that come together the budget's row decides and then that of the
 * search, always in this order, so that they wait for each other and never in a circle.
 */
function takeStatement(db: Database) {
  const question = db.$with("asked", {}).as(askedQuestion(isOpen, checksLeft(rate)));
  const taken = db.$with("taken").as(takenCheck(db));
  const judged = db.$with("judged", {}).as(judgedQuestion);
  const logged = db.$with("logged", {}).as(loggedAnswer);
  return db
    .with(question, taken, judged, logged)
    .select({
      left: taken.checksLeft,
      leftBefore: sql<number | null>`asked.left_before`.as("left_before"),
      refusedSeconds: sql<number | null>`(select refused_seconds from judged)`.as(
        "refused_seconds",
      ),
    })
    .from(sql`asked`)
    .leftJoin(taken, sql`true`)
    .prepare("funds_check");
}

/**
 * The line of the access log, in the same statement: a card's holder waits at the till. What is refused is no
 * answer and has no line.
 */
const loggedAnswer = sql`
  insert into ${accessLog} (consent_id, tpp_id, what, account_id, at, attended)
  select consent_id, tpp_id, 'funds-check', account_id, ${rate.now}::timestamptz, false
  from judged where refused_seconds is null`;

/** One check less, or no row. Who has visibly used them up is turned away without a write or a lock. */
function takenCheck(db: Database) {
  return db
    .insert(fundsCheckBudget)
    .select(sql`select consent_id, ${rate.checksSavedMax}::float8 - 1, ${rate.now}::timestamptz
      from asked where not ${isSpent(sql`coalesce(left_before, 1)`)}`)
    .onConflictDoUpdate(takeCheck(rate))
    .returning({ consentId: fundsCheckBudget.consentId, checksLeft: fundsCheckBudget.checksLeft });
}

type Row = Awaited<ReturnType<ReturnType<typeof takeStatement>["execute"]>>[number];

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

const searchAsked = (name: string) => sql.placeholder(name);
const searchNow = sql`${searchAsked("now")}::timestamptz`;
const seconds = (name: string) => sql`(${searchAsked(name)} * interval '1 second')`;
const amount = sql`${searchAsked("amountMinor")}::bigint`;
const available = sql`${searchAsked("availableMinor")}::bigint`;

/** The placeholders below, by their values. */
function searchValues({ compared, search, requestId }: FundsQuestion) {
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
function askedQuestion(isOpen: SQL | undefined, leftBefore: SQL): SQL {
  const [consent, known] = [fundsConsent, fundsSearch];
  // Nothing is told by an amount that was asked before and lies outside of bounds that hold.
  const nothingNew = sql`${amount} = any(${known.askedMinor})
    and (${amount} <= ${known.floorMinor} or ${amount} >= ${known.ceilingMinor})
    and coalesce(${known.floorMinor} <= ${available}, true)
    and coalesce(${available} < ${known.ceilingMinor}, true)
    and ${searchNow} < ${known.since} + ${seconds("boundsSeconds")}`;
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
const judgedQuestion = sql`
  select asked.consent_id, tpp_id, account_id, case when ${amount} is not null and not nothing_new then
    note_funds_question(account_id, tpp_id, asked.consent_id, ${searchAsked("requestId")}::uuid, ${amount}, ${available}, ${searchNow},
      ${searchAsked("amountsMax")}::int, ${seconds("amountsSeconds")}, ${searchAsked("closest")}::numeric,
      ${searchAsked("closeAmountsMax")}::int, ${seconds("boundsSeconds")})
  end as refused_seconds
  from taken join asked on asked.consent_id = taken.consent_id where ${searchAsked("answered")}::boolean`;

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

type Value = Param | Placeholder | SQL;

/** What the count of a consent's checks goes by: the bank's instant, and how fast checks come back. */
type CheckRate = {
  readonly now: Value;
  readonly checksSavedMax: Value;
  readonly secondsPerCheck: Value;
};

/**
 * Checks come back by the millisecond, and are kept as fractions: less than a millisecond's worth is
 * not to decide, so that whoever waits as long as told is admitted.
 */
const ROUNDING = sql.raw("1e-6");

/** What a consent's row has come to by now; a clock that was set back takes nothing away. */
function checksLeft({ now, checksSavedMax, secondsPerCheck }: CheckRate): SQL<number> {
  const { checksLeft: before, at } = fundsCheckBudget;
  const seconds = sql`greatest(0, extract(epoch from ${now}::timestamptz - ${at})::float8)`;
  return sql`least(${checksSavedMax}::float8, ${before} + ${seconds} / ${secondsPerCheck}::float8)`;
}

/** Whether there is none left; what is a moment old is right in this, since time only gives back. */
function isSpent(left: SQL): SQL<boolean> {
  return sql`${left} < 1 - ${ROUNDING}`;
}

/** The `do update` of a check: one is taken if there is one, else nothing changes. */
function takeCheck(rate: CheckRate) {
  const { at } = fundsCheckBudget;
  return {
    target: fundsCheckBudget.consentId,
    set: {
      checksLeft: sql`greatest(0, ${checksLeft(rate)} - 1)`,
      at: sql`greatest(${at}, ${rate.now}::timestamptz)`,
    },
    setWhere: not(isSpent(checksLeft(rate))),
  };
}
