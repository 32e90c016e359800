import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Psd2Role, TppCertificate } from "../../../lib/domain/tpp";
import {
  type AuthorityReport,
  type LegalBasis,
  legalBases,
  type RequestOutcome,
  requestOutcomes,
  type SecrecyGround,
  secrecyGrounds,
  type TppAction,
  tppActions,
} from "../../../lib/domain/tpp-blocks";
import type { TppId } from "../../../lib/domain/values";
import { bothOrNeither, instant, oneOf } from "../columns";

/** The TPPs whose certificates this bank has accepted, as their latest certificate names them, with the roles of all their QWACs. */
export const tpp = pgTable(
  "tpp",
  (t) => ({
    id: t.text("id").$type<TppId>().primaryKey(),
    name: t.text("name").notNull(),
    authorityName: t.text("authority_name").notNull(),
    authorityId: t.text("authority_id").notNull(),
    roles: t.text("roles").array().$type<Psd2Role[]>().notNull(),
    changedAt: instant("changed_at").notNull(),
  }),
  (row) => [index("tpp_name").on(sql`lower(${row.name}) text_pattern_ops`)],
);

export const ofTpp = () =>
  text("tpp_id")
    .$type<TppId>()
    .notNull()
    .references(() => tpp.id);

/** Certificates by which a TPP has called or signed, each as it was first seen. */
export const tppCertificate = pgTable(
  "tpp_certificate",
  (t) => ({
    thumbprint: t.text("thumbprint").primaryKey(),
    tppId: t.text("tpp_id").$type<TppId>().notNull(),
    kind: t.text("kind").$type<TppCertificate["kind"]>().notNull(),
    serialNumber: t.text("serial_number").notNull(),
    issuer: t.text("issuer").notNull(),
    notAfter: instant("not_after").notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    /** Of a QWAC; null until it is seen by a release that keeps them, and once its issuer has revoked it. */
    roles: t.text("roles").array().$type<Psd2Role[]>(),
  }),
  (row) => [
    index("tpp_certificate_of_tpp").on(row.tppId, row.notAfter),
    check("tpp_certificate_kind", sql`${row.kind} in ('QWAC', 'QSEAL')`),
  ],
);

/**
 * Orders that stop a TPP; none is ever removed. No foreign key: an authority may name a TPP that this
 * bank does not know. An order is over at `until`, and `lifted_at` may be written later than that.
 */
export const tppBlock = pgTable(
  "tpp_block",
  (t) => ({
    id: t.bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    tppId: t.text("tpp_id").$type<TppId>().notNull(),
    reason: t.text("reason"),
    blockedAt: instant("blocked_at").notNull(),
    until: instant("until"),
    liftedAt: instant("lifted_at"),
  }),
  (row) => [
    /** Also what every request of a TPP is looked up by. */
    uniqueIndex("tpp_block_not_lifted").on(row.tppId).where(sql`${row.liftedAt} is null`),
    check("tpp_block_until", sql`${row.until} > ${row.blockedAt}`),
  ],
);

/**
 * Requests to block a TPP or to let it in again, and what a second person has decided. What was requested never changes,
 * and it is decided once: a trigger. No foreign key to the TPP, as in `tpp_block`.
 */
export const tppBlockRequest = pgTable(
  "tpp_block_request",
  (t) => ({
    id: t.uuid("id").primaryKey().defaultRandom(),
    action: t.text("action").$type<TppAction>().notNull(),
    tppId: t.text("tpp_id").$type<TppId>().notNull(),
    basis: t.text("basis").$type<LegalBasis>().notNull(),
    reason: t.text("reason").notNull(),
    until: instant("until"),
    secrecy: t.text("secrecy").$type<SecrecyGround>(),
    secrecyReason: t.text("secrecy_reason"),
    requestedBy: t.text("requested_by").notNull(),
    requestedAt: instant("requested_at").notNull(),
    outcome: t.text("outcome").$type<RequestOutcome>(),
    decidedBy: t.text("decided_by"),
    decidedAt: instant("decided_at"),
    note: t.text("note"),
    /** To the authority, as it was made. */
    report: t.jsonb("report").$type<AuthorityReport>(),
  }),
  (row) => [
    uniqueIndex("tpp_block_request_open").on(row.tppId).where(sql`${row.outcome} is null`),
    index("tpp_block_request_of_tpp").on(row.tppId, row.requestedAt),
    index("tpp_block_request_newest").on(row.requestedAt, row.id),
    check("tpp_block_request_action", oneOf(row.action, tppActions)),
    check("tpp_block_request_basis", oneOf(row.basis, Object.keys(legalBases))),
    check("tpp_block_request_secrecy", oneOf(row.secrecy, secrecyGrounds)),
    check("tpp_block_request_outcome", oneOf(row.outcome, requestOutcomes)),
    check(
      "tpp_block_request_decided",
      sql`num_nulls(${row.outcome}, ${row.decidedBy}, ${row.decidedAt}) in (0, 3)`,
    ),
    check("tpp_block_request_secrecy_reason", bothOrNeither(row.secrecy, row.secrecyReason)),
    /** Four eyes: who has requested it can withdraw it, and nobody else; who decides it is somebody else. */
    check(
      "tpp_block_request_four_eyes",
      sql`(${row.outcome} = 'withdrawn') = (${row.decidedBy} = ${row.requestedBy})`,
    ),
    check(
      "tpp_block_request_report",
      sql`coalesce(${row.outcome} = 'approved', false) = (${row.report} is not null)`,
    ),
  ],
);

/**
 * How many requests of a TPP's present minute have been leased to servers. Unlogged (see its migration): a
 * lease waits for no disk and no standby, and a crash forgets a minute. No foreign key: a TPP that asks for
 * nothing but what it is refused is in no other table.
 */
export const tppAllowance = pgTable(
  "tpp_allowance",
  (t) => ({
    tppId: t.text("tpp_id").$type<TppId>().primaryKey(),
    startedAt: instant("started_at").notNull(),
    leased: t.integer("leased").notNull(),
    /** The size of the latest lease. */
    latest: t.integer("latest").notNull(),
  }),
  (row) => [check("tpp_allowance_leased", sql`${row.leased} > 0 and ${row.latest} > 0`)],
);
