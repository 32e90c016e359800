import { pgTable, text } from "drizzle-orm/pg-core";
import type { TppId } from "../../../lib/domain/identifiers";
import type { Psd2Role } from "../../../lib/domain/tpp/tpp";
import { instant } from "../columns";

/** The TPPs whose certificates this bank has accepted, as their latest certificate names them. */
export const tpp = pgTable("tpp", {
  id: text("id").$type<TppId>().primaryKey(),
  name: text("name").notNull(),
  authorityName: text("authority_name").notNull(),
  authorityId: text("authority_id").notNull(),
  roles: text("roles").array().$type<Psd2Role[]>().notNull(),
  changedAt: instant("changed_at").notNull(),
});
