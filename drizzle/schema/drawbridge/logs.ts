import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { type ReadKind, readKinds } from "../../../lib/domain/account-access";
import type { AuditEvent } from "../../../lib/domain/audit-log";
import type { PasskeyId } from "../../../lib/domain/passkeys";
import type { AccountId, ConsentId, RequestId, TppId } from "../../../lib/domain/values";
import { instant, oneOf, psuId } from "../columns";

/**
 * What TPPs have read, for the eyes of the PSUs whose accounts they are: never an amount, a name or
 * an IBAN. A consent is in one of two tables, so there is no foreign key. Never changed: a trigger.
 */
export const accessLog = pgTable(
  "access_log",
  {
    /** In the order in which the reads were served, also when the clock is moved. */
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    consentId: uuid("consent_id").$type<ConsentId>().notNull(),
    tppId: text("tpp_id").$type<TppId>().notNull(),
    what: text("what").$type<ReadKind>().notNull(),
    accountId: text("account_id").$type<AccountId>(),
    at: instant("at").notNull(),
    /** Caused by the PSU. */
    attended: boolean("attended").notNull(),
  },
  (row) => [
    index("access_log_of_consent").on(row.consentId, row.id),
    index("access_log_age").on(row.at),
    check("access_log_what", oneOf(row.what, readKinds)),
  ],
);

/** What the bank has to be able to show later (RTS art. 29). Only ever added to: a trigger holds it. */
export const auditEvent = pgTable(
  "audit_event",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant("at").notNull(),
    kind: text("kind").$type<AuditEvent["kind"]>().notNull(),
    /** Of what a TPP has done. */
    tppId: text("tpp_id").$type<TppId>(),
    requestId: uuid("request_id").$type<RequestId>(),
    /** By which it was done, where it was done by a consent. */
    consentId: uuid("consent_id").$type<ConsentId>(),
    /** Of what a PSU has done. */
    psuId: psuId(),
    passkeyId: uuid("passkey_id").$type<PasskeyId>(),
  },
  (row) => [
    index("audit_event_of_tpp").on(row.tppId, row.id),
    index("audit_event_of_psu").on(row.psuId, row.id).where(sql`${row.psuId} is not null`),
    check(
      "audit_event_of_somebody",
      sql`num_nonnulls(${row.tppId}, ${row.psuId}) = 1
        and (${row.tppId} is null) = (${row.requestId} is null)
        and (${row.psuId} is null) = (${row.passkeyId} is null)`,
    ),
  ],
);
