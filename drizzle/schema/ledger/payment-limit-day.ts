import { sql } from "drizzle-orm";
import { bigint, check, date, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { PsuId } from "../../../lib/domain/identifiers";
import type { IsoDate } from "../../../lib/domain/iso-date";

/** What a PSU has sent on a local day, in minor units of the limit's currency. */
export const paymentLimitDay = pgTable(
  "payment_limit_day",
  {
    psuId: text("psu_id").$type<PsuId>().notNull(),
    day: date("day", { mode: "string" }).$type<IsoDate>().notNull(),
    usedMinor: bigint("used_minor", { mode: "bigint" }).notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.psuId, row.day] }),
    check("payment_limit_day_used", sql`${row.usedMinor} >= 0`),
  ],
);
