import { index, pgTable, text } from "drizzle-orm/pg-core";
import type { PsuId } from "../../lib/domain/identifiers";
import { instant } from "./columns";

/** A PSU's sign-in; the browser's cookie only points here, so that it can be ended here. */
export const psuSession = pgTable(
  "psu_session",
  {
    idHash: text("id_hash").primaryKey(),
    psuId: text("psu_id").$type<PsuId>().notNull(),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (row) => [index("psu_session_age").on(row.createdAt)],
);
