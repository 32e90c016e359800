import { index, pgTable } from "drizzle-orm/pg-core";
import type { ResourceKind } from "../../../lib/domain/authorisation";
import type { MessageCode } from "../../../lib/domain/errors";
import type { Explanation } from "../../../lib/domain/refused-requests";
import type { StaffRole } from "../../../lib/domain/staff";
import type { RequestId, TppId } from "../../../lib/domain/values";
import { instant } from "../columns";

/** An operator's sign-in at the staff console, with the roles of that moment; the browser's cookie only points here. */
export const staffSession = pgTable(
  "staff_session",
  (t) => ({
    idHash: t.text("id_hash").primaryKey(),
    operator: t.text("operator").notNull(),
    name: t.text("name").notNull(),
    roles: t.text("roles").array().$type<StaffRole[]>().notNull(),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    endedAt: instant("ended_at"),
  }),
  (row) => [index("staff_session_age").on(row.createdAt)],
);

/**
 * What TPPs were told when they were refused, for as long as somebody may ask about it. Bounded for each TPP and minute,
 * and written beside the answer. No foreign keys: a TPP may be refused before it is known.
 */
export const refusedRequest = pgTable(
  "refused_request",
  (t) => ({
    id: t.bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant("at").notNull(),
    tppId: t.text("tpp_id").$type<TppId>().notNull(),
    requestId: t.uuid("request_id").$type<RequestId>(),
    method: t.varchar("method", { length: 10 }).notNull(),
    /** Of the endpoint, with the names of its parts in place of their values. */
    route: t.text("route").notNull(),
    status: t.smallint("status").notNull(),
    code: t.text("code").$type<MessageCode>().notNull(),
    told: t.varchar("told", { length: 500 }).notNull(),
    explanation: t.jsonb("explanation").$type<Explanation>(),
    resourceKind: t.text("resource_kind").$type<ResourceKind>(),
    resourceId: t.uuid("resource_id"),
  }),
  (row) => [
    index("refused_request_of_tpp").on(row.tppId, row.id),
    index("refused_request_of_request").on(row.requestId),
    index("refused_request_of_resource").on(row.resourceId, row.at),
    index("refused_request_age").on(row.at),
  ],
);
