import { sql } from "drizzle-orm";
import { bigint, check, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { TppId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";

/**
 * Orders that stop a TPP; none is ever removed. No foreign key: an authority may name a TPP that this
 * bank has not met. An order is over at `until`, and `lifted_at` may be written later than that.
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
