import { sql } from "drizzle-orm";
import { check, index, pgTable } from "drizzle-orm/pg-core";
import type { PsuId, TppId } from "../../../lib/domain/values";
import { coreBankId, day, oneOf } from "../columns";

/** The sandbox's customers, who sign in with a password; a bank's own are at its identity provider. */
export const psu = pgTable(
  "psu",
  (t) => ({
    /** The core bank's id of the customer. */
    id: coreBankId("id").$type<PsuId>().primaryKey(),
    /** Trimmed and in lower case. */
    userId: t.text("user_id").notNull().unique(),
    name: t.varchar("name", { length: 140 }).notNull(),
    /** argon2id in PHC form, with its own salt and costs. */
    passwordHash: t.text("password_hash").notNull(),
    /** The TPP whose sandbox namespace it is of, and for which alone it signs in; null for a customer of all. */
    tppId: t.text("tpp_id").$type<TppId>(),
  }),
  (row) => [
    index("psu_of_namespace").on(row.tppId).where(sql`${row.tppId} is not null`),
    check("psu_user_id_shape", sql`${row.userId} ~ '^[a-z0-9._-]{1,64}$'`),
    check("psu_password_is_argon2id", sql`${row.passwordHash} like '$argon2id$%'`),
  ],
);

/** How the core bank fails the people and accounts of a namespace while its TPP wants it to. */
export const coreFaults = ["away", "slow", "broken"] as const;

/** What is kept of a TPP's namespace besides its PSUs and accounts. No row: nothing yet. */
export const sandboxNamespace = pgTable(
  "sandbox_namespace",
  (t) => ({
    tppId: t.text("tpp_id").$type<TppId>().primaryKey(),
    /** Null while the core bank is there. */
    coreFault: t.text("core_fault", { enum: coreFaults }),
    /** The last day with a reset, and how many it had. */
    resetOn: day("reset_on"),
    resets: t.integer("resets").notNull().default(0),
  }),
  (row) => [check("sandbox_namespace_core_fault", oneOf(row.coreFault, coreFaults))],
);
