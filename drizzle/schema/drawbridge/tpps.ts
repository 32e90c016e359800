import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Psd2Role } from "../../../lib/domain/tpp";
import type { TppId } from "../../../lib/domain/values";
import { instant } from "../columns";

/** The TPPs whose certificates this bank has accepted, as their latest certificate names them. */
export const tpp = pgTable(
  "tpp",
  {
    id: text("id").$type<TppId>().primaryKey(),
    name: text("name").notNull(),
    authorityName: text("authority_name").notNull(),
    authorityId: text("authority_id").notNull(),
    roles: text("roles").array().$type<Psd2Role[]>().notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (row) => [index("tpp_name").on(sql`lower(${row.name}) text_pattern_ops`)],
);

export const ofTpp = () =>
  text("tpp_id")
    .$type<TppId>()
    .notNull()
    .references(() => tpp.id);

/**
 * Orders that stop a TPP; none is ever removed. No foreign key: an authority may name a TPP that this
 * bank does not know. An order is over at `until`, and `lifted_at` may be written later than that.
 */
export const tppBlock = pgTable(
  "tpp_block",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    tppId: text("tpp_id").$type<TppId>().notNull(),
    reason: text("reason"),
    blockedAt: instant("blocked_at").notNull(),
    until: instant("until"),
    liftedAt: instant("lifted_at"),
  },
  (row) => [
    /** Also what every request of a TPP is looked up by. */
    uniqueIndex("tpp_block_not_lifted").on(row.tppId).where(sql`${row.liftedAt} is null`),
    check("tpp_block_until", sql`${row.until} > ${row.blockedAt}`),
  ],
);

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
