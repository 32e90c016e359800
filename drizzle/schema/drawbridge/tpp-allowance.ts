import { sql } from "drizzle-orm";
import { check, integer, pgTable, text } from "drizzle-orm/pg-core";
import type { TppId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";

/**
 * How many requests of a TPP's present minute have been leased to servers. Unlogged (see its migration): a
 * lease waits for no disk and no standby, and a crash forgets a minute. No foreign key: a TPP that asks for
 * nothing but what it is refused is in no other table.
 */
export const tppAllowance = pgTable(
  "tpp_allowance",
  {
    tppId: text("tpp_id").$type<TppId>().primaryKey(),
    startedAt: instant("started_at").notNull(),
    leased: integer("leased").notNull(),
    /** The size of the latest lease. */
    latest: integer("latest").notNull(),
  },
  (row) => [check("tpp_allowance_leased", sql`${row.leased} > 0 and ${row.latest} > 0`)],
);
