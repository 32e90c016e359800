import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { AccountId, PsuId } from "../../../lib/domain/identifiers";
import { ledgerAccount } from "./account";
import { customer } from "./customer";

/** Who may use an account, and as what. A joint account has several owners. */
export const accountOwner = pgTable(
  "account_owner",
  {
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => ledgerAccount.id),
    customerId: uuid("customer_id")
      .$type<PsuId>()
      .notNull()
      .references(() => customer.id),
    role: text("role", { enum: ["owner", "legalRepresentative", "authorisedUser"] }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.customerId] }),
    index("account_owner_customer").on(table.customerId),
    check(
      "account_owner_role",
      sql`${table.role} in ('owner', 'legalRepresentative', 'authorisedUser')`,
    ),
  ],
);
