import { bigint, boolean, check, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { type ReadKind, readKinds } from "../../../lib/domain/account-access";
import type { AccountId, ConsentId, TppId } from "../../../lib/domain/values";
import { instant, oneOf } from "../columns";

/**
 * What TPPs have read, for the eyes of the PSUs whose accounts they are: never an amount, a name or
 * an IBAN. A consent is in one of two tables, so there is no foreign key. Never changed: a trigger.
 */
export const accessLog = pgTable(
  "access_log",
  {
    /** In the order in which the reads were served, also when the clock is moved. */
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    consentId: uuid("consent_id").$type<ConsentId>().notNull(),
    tppId: text("tpp_id").$type<TppId>().notNull(),
    what: text("what").$type<ReadKind>().notNull(),
    accountId: text("account_id").$type<AccountId>(),
    at: instant("at").notNull(),
    /** Caused by the PSU. */
    attended: boolean("attended").notNull(),
  },
  (row) => [
    index("access_log_of_consent").on(row.consentId, row.id),
    index("access_log_age").on(row.at),
    check("access_log_what", oneOf(row.what, readKinds)),
  ],
);
