import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { AuditEvent } from "../../../lib/domain/audit/audit-log";
import type { ConsentId, PsuId, RequestId, TppId } from "../../../lib/domain/identifiers";
import type { PasskeyId } from "../../../lib/domain/passkeys/passkey";
import { instant } from "../columns";

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
    psuId: text("psu_id").$type<PsuId>(),
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
