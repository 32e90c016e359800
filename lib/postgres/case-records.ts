import { desc, eq, type SQL, sql } from "drizzle-orm";
import {
  accessLog,
  accountConsent,
  authorisation,
  fundsConsent,
  payment,
  paymentState,
  paymentStatusChange,
  paymentSubmission,
  tpp,
} from "@/drizzle/schema/drawbridge";
import type { CaseAsked, CaseRecords, TimelineEntry } from "@/lib/domain/case-search";
import type { RequestId, TppId } from "@/lib/domain/values";
import { withoutNulls } from "@/lib/without-nulls";
import type { Database } from "./client";
import { refusedRequestStore } from "./refused-requests";
import { toTpp } from "./tpps";

export function caseRecords(db: Database): CaseRecords {
  return {
    find: async (asked, limit) => {
      const status = sql<string>`coalesce(${accountConsent.status}, ${fundsConsent.status}, ${paymentState.status})`;
      const rows = await db
        .select({
          kind: authorisation.kind,
          id: authorisation.resourceId,
          tppId: authorisation.tppId,
          tppName: tpp.name,
          status,
          requestedAt: authorisation.createdAt,
          psuId: authorisation.psuId,
        })
        .from(authorisation)
        .innerJoin(tpp, eq(tpp.id, authorisation.tppId))
        .leftJoin(accountConsent, eq(accountConsent.authorisationId, authorisation.id))
        .leftJoin(fundsConsent, eq(fundsConsent.authorisationId, authorisation.id))
        .leftJoin(payment, eq(payment.authorisationId, authorisation.id))
        .leftJoin(paymentState, eq(paymentState.paymentId, payment.id))
        .where(wanted(asked))
        .orderBy(desc(authorisation.createdAt), authorisation.id)
        .limit(limit);
      return rows.map(withoutNulls);
    },
    tpps: async (text, limit) => {
      const name = text.toLowerCase();
      const [byId, byName] = await Promise.all([
        db
          .select()
          .from(tpp)
          .where(eq(tpp.id, text as TppId)),
        db
          .select()
          .from(tpp)
          // What `like` would ask of the index, whose pattern its plan would have to know.
          .where(
            sql`lower(${tpp.name}) ~>=~ ${name} and lower(${tpp.name}) ~<~ ${`${name}\u{10ffff}`}`,
          )
          .orderBy(sql`lower(${tpp.name}) using ~<~`)
          .limit(limit),
      ]);
      const named = byName.filter(({ id }) => byId.every((one) => one.id !== id));
      return [...byId, ...named].map(toTpp);
    },
    timeline: async ({ kind, id }, limit) => {
      const isPayment = kind === "PIS";
      const parts = await Promise.all([
        eventsOf(db, id, limit),
        readsOf(db, id, limit),
        isPayment ? statusesOf(db, id) : [],
        isPayment ? submissionOf(db, id) : [],
        refusalsOf(db, id, limit),
      ]);
      return parts
        .flat()
        .toSorted((one, other) => one.at.getTime() - other.at.getTime())
        .slice(-limit);
    },
  };
}

/** Each branch has an index of its own, which a condition of several columns would not use. */
function wanted(asked: CaseAsked): SQL {
  if ("psuId" in asked) return sql`${authorisation.psuId} = ${asked.psuId}`;
  if ("readBy" in asked) {
    const { kind, resourceId } = authorisation;
    return sql`${kind} in ('AIS', 'PIIS') and ${resourceId} in (${consentsReadBy(asked.readBy)})`;
  }
  const { id } = authorisation;
  if ("endToEndId" in asked) {
    return sql`${id} in (select authorisation_id from payment where end_to_end_id = ${asked.endToEndId})`;
  }
  if ("iban" in asked) {
    const { iban } = asked;
    return sql`${id} in (
      select authorisation_id from payment where debtor_iban = ${iban}
      union select authorisation_id from payment where creditor_iban = ${iban}
      union select authorisation_id from funds_consent where iban = ${iban}
      union select authorisation_id from account_consent
        where id in (select consent_id from account_grant where iban = ${iban}))`;
  }
  const named = sql`${asked.id}::uuid`;
  return sql`${id} in (select ${named}
    union select id from authorisation where request_id = ${named}
    union select id from authorisation where kind in ('AIS', 'PIIS', 'PIS') and resource_id = ${named})`;
}

/** A TPP that sends one X-Request-ID with all its reads has them all found by it. */
const READS_OF_ONE_ID_MAX = 1_000;

/** On each day of the log, since its index begins with the day. */
function consentsReadBy(requestId: RequestId): SQL {
  return sql`select consent_id from access_log
    where request_id = ${requestId}::uuid and (at at time zone 'UTC')::date = any (array(
      select day::date
      from (select min(at) at time zone 'UTC' as first, max(at) at time zone 'UTC' as last from access_log) log,
        generate_series(date_trunc('day', first), last, interval '1 day') day))
    limit ${READS_OF_ONE_ID_MAX}`;
}

type EventRow = {
  readonly at: string;
  readonly kind: string;
  readonly requestId: RequestId | null;
  readonly actor: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** The statuses of a payment have a table of their own. */
async function eventsOf(db: Database, id: string, limit: number): Promise<TimelineEntry[]> {
  const rows = await db.execute<EventRow>(sql`
    select at, kind, request_id as "requestId", actor, detail from event
    where resource_id = ${id}::uuid and kind <> 'payment-status'
    order by recorded_at desc limit ${limit}`);
  return rows.map(({ kind, at, requestId, actor, detail }) => ({
    ...{ at: new Date(at), source: "event", what: kind, detail },
    ...withoutNulls({ requestId, actor }),
  }));
}

async function readsOf(db: Database, id: string, limit: number): Promise<TimelineEntry[]> {
  const { at, what, attended, requestId } = accessLog;
  const rows = await db
    .select({ at, what, attended, requestId })
    .from(accessLog)
    .where(sql`${accessLog.consentId} = ${id}::uuid`)
    .orderBy(desc(accessLog.at), desc(accessLog.id))
    .limit(limit);
  return rows.map(({ attended, ...read }) => ({
    ...{ ...withoutNulls(read), source: "read", detail: { attended } },
  }));
}

async function statusesOf(db: Database, id: string): Promise<TimelineEntry[]> {
  const rows = await db
    .select()
    .from(paymentStatusChange)
    .where(sql`${paymentStatusChange.paymentId} = ${id}::uuid`);
  return rows.map(({ at, status, reason }) => ({
    ...{ at, source: "payment-status", what: status },
    detail: reason === null ? {} : { because: reason },
  }));
}

/** What is still to be done at the core bank, and how often it has not answered. */
async function submissionOf(db: Database, id: string): Promise<TimelineEntry[]> {
  const rows = await db
    .select()
    .from(paymentSubmission)
    .where(sql`${paymentSubmission.paymentId} = ${id}::uuid`);
  return rows.map(({ dueAt, attempts }) => ({
    ...{ at: dueAt, source: "submission", what: "due", detail: { attempts } },
  }));
}

async function refusalsOf(db: Database, id: string, limit: number): Promise<TimelineEntry[]> {
  const refused = await refusedRequestStore(db).of({ resourceId: id }, limit);
  return refused.map(({ at, code, requestId, status, told, method, route, tppId }) => ({
    ...{ at, source: "refusal", what: code, requestId },
    detail: { status, told, method, route, tppId },
  }));
}
