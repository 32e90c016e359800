import { sql } from "drizzle-orm";
import { check, index, pgTable } from "drizzle-orm/pg-core";
import type { TppId } from "../../../lib/domain/values";
import { instant, psuId } from "../columns";

/** How far the sandbox's clock was moved. No row: not at all. One row at most. */
export const sandboxClock = pgTable(
  "sandbox_clock",
  (t) => ({
    id: t.boolean("id").primaryKey().default(true),
    offsetMilliseconds: t.bigint("offset_milliseconds", { mode: "number" }).notNull(),
  }),
  (row) => [check("sandbox_clock_one_row", sql`${row.id}`)],
);

/** How far a TPP's own clock is ahead of the sandbox's. No row: not at all. Never behind, so that nothing is removed early. */
export const sandboxTppClock = pgTable(
  "sandbox_tpp_clock",
  (t) => ({
    tppId: t.text("tpp_id").$type<TppId>().primaryKey(),
    aheadSeconds: t.integer("ahead_seconds").notNull(),
  }),
  (row) => [check("sandbox_tpp_clock_ahead", sql`${row.aheadSeconds} > 0`)],
);

/** The text messages on the phones of the sandbox; a bank that sends real ones keeps none. */
export const sandboxMessage = pgTable(
  "sandbox_message",
  (t) => ({
    id: t.bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    psuId: psuId().notNull(),
    sentAt: instant("sent_at").notNull(),
    text: t.text("text").notNull(),
    /** Null in a notice. */
    code: t.text("code"),
  }),
  // Newest first is this index read backwards: `sent_at` goes back when the sandbox's clock does.
  (row) => [index("sandbox_message_of_psu").on(row.psuId, row.id)],
);
