import { bigint, index, jsonb, pgTable, smallint, text, uuid, varchar } from "drizzle-orm/pg-core";
import type { ResourceKind } from "../../../lib/domain/authorisation";
import type { MessageCode } from "../../../lib/domain/errors";
import type { Explanation } from "../../../lib/domain/refused-requests";
import type { StaffRole } from "../../../lib/domain/staff";
import type { RequestId, TppId } from "../../../lib/domain/values";
import { instant } from "../columns";

/** An operator's sign-in at the staff console, with the roles of that moment; the browser's cookie only points here. */
export const staffSession = pgTable(
  "staff_session",
  {
    idHash: text("id_hash").primaryKey(),
    operator: text("operator").notNull(),
    name: text("name").notNull(),
    roles: text("roles").array().$type<StaffRole[]>().notNull(),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (row) => [index("staff_session_age").on(row.createdAt)],
);

/**
 * What TPPs were told when they were refused, for as long as somebody may ask about it. Bounded for each TPP and minute,
 * and written beside the answer. No foreign keys: a TPP may be refused before it is known.
 */
export const refusedRequest = pgTable(
  "refused_request",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant("at").notNull(),
    tppId: text("tpp_id").$type<TppId>().notNull(),
    requestId: uuid("request_id").$type<RequestId>(),
    method: varchar("method", { length: 10 }).notNull(),
    /** Of the endpoint, with the names of its parts in place of their values. */
    route: text("route").notNull(),
    status: smallint("status").notNull(),
    code: text("code").$type<MessageCode>().notNull(),
    told: varchar("told", { length: 500 }).notNull(),
    explanation: jsonb("explanation").$type<Explanation>(),
    resourceKind: text("resource_kind").$type<ResourceKind>(),
    resourceId: uuid("resource_id"),
  },
  (row) => [
    index("refused_request_of_tpp").on(row.tppId, row.id),
    index("refused_request_of_request").on(row.requestId),
    index("refused_request_of_resource").on(row.resourceId, row.at),
    index("refused_request_age").on(row.at),
  ],
);
