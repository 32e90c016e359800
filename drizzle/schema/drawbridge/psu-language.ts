import { pgTable, text } from "drizzle-orm/pg-core";
import type { PsuId } from "../../../lib/domain/identifiers";

/** In which language a PSU last completed SCA: notices that a stranger causes are written in it. */
export const psuLanguage = pgTable("psu_language", {
  psuId: text("psu_id").$type<PsuId>().primaryKey(),
  language: text("language").notNull(),
});
