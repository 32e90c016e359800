import { pgTable, text } from "drizzle-orm/pg-core";
import type { PsuId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";

/** When a PSU was last sent texts with codes; no more instants than there may be texts in an hour. */
export const psuTextBudget = pgTable("psu_text_budget", {
  psuId: text("psu_id").$type<PsuId>().primaryKey(),
  sent: instant("sent").array().notNull(),
});
