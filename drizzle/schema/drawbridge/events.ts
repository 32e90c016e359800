import { type SQLWrapper, sql } from "drizzle-orm";
import {
  check,
  customType,
  index,
  pgSequence,
  pgTable,
  primaryKey,
  timestamp,
} from "drizzle-orm/pg-core";
import type { ResourceKind } from "../../../lib/domain/authorisation";
import {
  type EventDetail,
  type EventKind,
  type HeldSubject,
  heldSubjects,
  type Retention,
  type Seal,
} from "../../../lib/domain/events";
import type { RequestId, TppId } from "../../../lib/domain/values";
import { instant, oneOf } from "../columns";

/** To the microsecond, as text of PostgreSQL: a `Date` would lose the last three digits. */
const recorded = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });
const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/**
 * The two most frequent kinds, which are written while a TPP waits, are in no index by kind: in any span of time there are
 * enough of them to be found in order of time.
 */
const requestedKinds = ["consent-requested", "payment-requested"] as const satisfies EventKind[];
export const isRequested = (kind: EventKind) => requestedKinds.some((one) => one === kind);
export const isNotRequested = (kind: SQLWrapper) =>
  sql`${kind} not in (${sql.raw(requestedKinds.map((one) => `'${one}'`).join(", "))})`;

/**
 * Who did what, of which the bank has to give account later (RTS art. 29). Only ever added to, by the function
 * `event_record` alone. Partitioned by retention and within that by month (see its migration), so that a month goes at
 * once. `recorded_at` is the database's time, also in a sandbox whose clock was moved, and `at` the bank's.
 */
export const event = pgTable(
  "event",
  (t) => ({
    /** Of a sequence: before PostgreSQL 17 a partitioned table has no identity column. */
    id: t.bigint("id", { mode: "bigint" }).notNull().default(sql`nextval('event_id')`),
    retention: t.text("retention").$type<Retention>().notNull(),
    recordedAt: recorded("recorded_at").notNull().default(sql`clock_timestamp()`),
    at: instant("at").notNull(),
    kind: t.text("kind").$type<EventKind>().notNull(),
    tppId: t.text("tpp_id").$type<TppId>(),
    requestId: t.uuid("request_id").$type<RequestId>(),
    resourceKind: t.text("resource_kind").$type<ResourceKind>(),
    resourceId: t.uuid("resource_id"),
    /** The customer's pseudonym in this month. */
    subject: t.uuid("subject"),
    /** Of the bank's people, or the system of the bank that called. */
    actor: t.text("actor"),
    detail: t.jsonb("detail").$type<EventDetail>().notNull(),
  }),
  (row) => [
    primaryKey({ columns: [row.recordedAt, row.id, row.retention] }),
    index("event_of_resource")
      .on(row.resourceId, row.recordedAt)
      .where(sql`${row.resourceId} is not null`),
    index("event_of_subject")
      .on(row.subject, row.recordedAt)
      .where(sql`${row.subject} is not null`),
    index("event_of_tpp").on(row.tppId, row.recordedAt).where(sql`${row.tppId} is not null`),
    index("event_of_kind").on(row.kind, row.recordedAt).where(isNotRequested(row.kind)),
    index("event_of_request").on(row.requestId).where(sql`${row.requestId} is not null`),
  ],
);

export const eventId = pgSequence("event_id");

/** What a month's pseudonyms are computed with. Without it nobody can tell whose they were. */
export const eventKey = pgTable("event_key", (t) => ({
  month: t.date("month", { mode: "string" }).primaryKey(),
  secret: bytes("secret").notNull(),
}));

/**
 * The digest of the events recorded from one instant to another, over the digest before it. Only ever added to, but for
 * the note that a seal was sent.
 */
export const eventSeal = pgTable("event_seal", (t) => ({
  number: t.integer("number").primaryKey(),
  from: recorded("from").notNull(),
  to: recorded("to").notNull(),
  parts: t.jsonb("parts").$type<Seal["parts"]>().notNull(),
  digest: t.text("digest").notNull().unique(),
  sealedAt: recorded("sealed_at").notNull().default(sql`clock_timestamp()`),
  sentAt: recorded("sent_at"),
}));

/** What is not removed, whatever its age, while somebody may need it as evidence. */
export const legalHold = pgTable(
  "legal_hold",
  (t) => ({
    id: t.bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    subjectKind: t.text("subject_kind").$type<HeldSubject>().notNull(),
    subject: t.text("subject").notNull(),
    reason: t.text("reason").notNull(),
    placedBy: t.text("placed_by").notNull(),
    placedAt: instant("placed_at").notNull(),
    releasedBy: t.text("released_by"),
    releasedAt: instant("released_at"),
  }),
  (row) => [
    check("legal_hold_subject", oneOf(row.subjectKind, heldSubjects)),
    check("legal_hold_released", sql`(${row.releasedAt} is null) = (${row.releasedBy} is null)`),
  ],
);
