import { sql } from "drizzle-orm";
import { bigint, boolean, check, pgTable } from "drizzle-orm/pg-core";

/** How far the sandbox's clock was moved. No row: not at all. There is one clock, hence one row. */
export const sandboxClock = pgTable(
  "sandbox_clock",
  {
    id: boolean("id").primaryKey().default(true),
    offsetMilliseconds: bigint("offset_milliseconds", { mode: "number" }).notNull(),
  },
  (row) => [check("sandbox_clock_one_row", sql`${row.id}`)],
);
