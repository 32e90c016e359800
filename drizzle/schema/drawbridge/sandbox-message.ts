import { bigint, index, pgTable, text } from "drizzle-orm/pg-core";
import type { PsuId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";

/** The text messages on the phones of the sandbox; a bank that sends real ones keeps none. */
export const sandboxMessage = pgTable(
  "sandbox_message",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    psuId: text("psu_id").$type<PsuId>().notNull(),
    sentAt: instant("sent_at").notNull(),
    text: text("text").notNull(),
    /** Null where a text only tells something. */
    code: text("code"),
  },
  // Newest first is this index read backwards: `sent_at` goes back when the sandbox's clock does.
  (row) => [index("sandbox_message_of_psu").on(row.psuId, row.id)],
);
