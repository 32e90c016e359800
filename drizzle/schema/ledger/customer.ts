import { sql } from "drizzle-orm";
import { bigint, check, pgTable, text, uuid, varchar } from "drizzle-orm/pg-core";
import type { PsuId } from "../../../lib/domain/identifiers";

/**
 * Somebody who holds an account. A person signs in with `user_id`; an organisation holds accounts
 * and has no sign-in of its own: the people who act for it have theirs.
 */
export const customer = pgTable(
  "customer",
  {
    id: uuid("id").$type<PsuId>().primaryKey(),
    /** Trimmed and in lower case. */
    userId: text("user_id").unique(),
    /** The standard's longest `ownerName` has 140 characters. */
    name: varchar("name", { length: 140 }).notNull(),
    /** argon2id in PHC form, with its own salt and costs. */
    passwordHash: text("password_hash"),
    /** The most this person sends in one payment, in cents of a euro, as set in the bank's own channel. */
    paymentLimitMinor: bigint("payment_limit_minor", { mode: "bigint" }),
  },
  (table) => [
    check("customer_payment_limit", sql`${table.paymentLimitMinor} >= 0`),
    check("customer_user_id_shape", sql`${table.userId} ~ '^[a-z0-9._-]{1,64}$'`),
    check(
      "customer_password_is_argon2id",
      sql`(${table.userId} is null) = (${table.passwordHash} is null) and ${table.passwordHash} like '$argon2id$%'`,
    ),
  ],
);
