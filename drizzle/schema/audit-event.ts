import { bigint, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { AuditEvent } from "../../lib/domain/audit/audit-log";
import type { RequestId, TppId } from "../../lib/domain/identifiers";
import { instant } from "./columns";

/** What the bank has to be able to show later (RTS art. 29). Only ever added to: a trigger holds it. */
export const auditEvent = pgTable(
  "audit_event",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant("at").notNull(),
    kind: text("kind").$type<AuditEvent["kind"]>().notNull(),
    tppId: text("tpp_id").$type<TppId>().notNull(),
    requestId: uuid("request_id").$type<RequestId>().notNull(),
  },
  (row) => [index("audit_event_of_tpp").on(row.tppId, row.id)],
);
