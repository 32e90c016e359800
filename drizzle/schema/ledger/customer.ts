import { sql } from "drizzle-orm";
import { bigint, check, pgTable, uuid, varchar } from "drizzle-orm/pg-core";
import type { PsuId } from "../../../lib/domain/identifiers";

/** Somebody who holds an account: a person, or an organisation that people act for. */
export const customer = pgTable(
  "customer",
  {
    id: uuid("id").$type<PsuId>().primaryKey(),
    /** The standard's longest `ownerName` has 140 characters. */
    name: varchar("name", { length: 140 }).notNull(),
    /** The most this person sends in one payment, in cents of a euro, as set in the bank's own channel. */
    paymentLimitMinor: bigint("payment_limit_minor", { mode: "bigint" }),
  },
  (table) => [check("customer_payment_limit", sql`${table.paymentLimitMinor} >= 0`)],
);
