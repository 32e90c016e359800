import { boolean, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import type { Iban } from "../../../lib/domain/iban";
import type { AccountId, ConsentId, ResourceId } from "../../../lib/domain/identifiers";
import type { Currency } from "../../../lib/domain/money";
import { accountConsent } from "./account-consent";

/** The accounts a PSU shared by a consent; `position` keeps them in the order in which they were granted. */
export const accountGrant = pgTable(
  "account_grant",
  {
    resourceId: uuid("resource_id").$type<ResourceId>().primaryKey(),
    consentId: uuid("consent_id")
      .$type<ConsentId>()
      .notNull()
      .references(() => accountConsent.id, { onDelete: "cascade" }),
    accountId: text("account_id").$type<AccountId>().notNull(),
    position: smallint("position").notNull(),
    iban: text("iban").$type<Iban>().notNull(),
    currency: text("currency").$type<Currency>().notNull(),
    balances: boolean("balances").notNull(),
    transactions: boolean("transactions").notNull(),
    ownerName: boolean("owner_name").notNull(),
  },
  (row) => [unique("account_grant_once").on(row.consentId, row.accountId)],
);
