import { sql } from "drizzle-orm";
import { check, index, pgTable, text, varchar } from "drizzle-orm/pg-core";
import type { PsuId, TppId } from "../../../lib/domain/values";
import { coreBankId } from "../columns";

/** The sandbox's customers, who sign in with a password; a bank's own are at its identity provider. */
export const psu = pgTable(
  "psu",
  {
    /** The core bank's id of the customer. */
    id: coreBankId("id").$type<PsuId>().primaryKey(),
    /** Trimmed and in lower case. */
    userId: text("user_id").notNull().unique(),
    name: varchar("name", { length: 140 }).notNull(),
    /** argon2id in PHC form, with its own salt and costs. */
    passwordHash: text("password_hash").notNull(),
    /** The TPP whose sandbox namespace it is of, and for which alone it signs in; null for a customer of all. */
    tppId: text("tpp_id").$type<TppId>(),
  },
  (row) => [
    index("psu_of_namespace").on(row.tppId).where(sql`${row.tppId} is not null`),
    check("psu_user_id_shape", sql`${row.userId} ~ '^[a-z0-9._-]{1,64}$'`),
    check("psu_password_is_argon2id", sql`${row.passwordHash} like '$argon2id$%'`),
  ],
);
