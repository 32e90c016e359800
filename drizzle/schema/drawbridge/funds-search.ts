import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { AccountId, TppId } from "../../../lib/domain/identifiers";
import { coreBankId, instant } from "../columns";

const minor = (name: string) => bigint(name, { mode: "bigint" });

/**
 * What a TPP's funds checks have told it of an account, over all of its consents, in minor units of the account's
 * currency. The amounts are those of 24 hours; the sweep removes them. No foreign key: accounts are the core bank's.
 */
export const fundsSearch = pgTable(
  "funds_search",
  {
    accountId: coreBankId("account_id").$type<AccountId>().notNull(),
    tppId: text("tpp_id").$type<TppId>().notNull(),
    /** Different amounts, and when each was first asked. */
    askedMinor: minor("asked_minor").array().notNull(),
    askedAt: instant("asked_at").array().notNull(),
    /** The highest amount that was available, and the lowest that was not. */
    floorMinor: minor("floor_minor"),
    ceilingMinor: minor("ceiling_minor"),
    /** Answered though they were close to one of the two. */
    closeAmounts: integer("close_amounts").notNull(),
    /** Since when the two and the count hold. */
    since: instant("since").notNull(),
    /** When a search was last written into the audit log. */
    refusedAt: instant("refused_at"),
    /** When the sweep has something to remove. */
    forgetAt: instant("forget_at").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.accountId, row.tppId] }),
    index("funds_search_forget_at").on(row.forgetAt),
    check("funds_search_asked", sql`cardinality(${row.askedMinor}) = cardinality(${row.askedAt})`),
    check("funds_search_bounds", sql`${row.floorMinor} < ${row.ceilingMinor}`),
  ],
);
