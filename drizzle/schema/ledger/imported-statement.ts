import { bigint, pgTable, primaryKey, timestamp, uuid, varchar } from "drizzle-orm/pg-core";
import type { AccountId } from "../../../lib/domain/identifiers";
import { ledgerAccount } from "./account";

/** A statement of another bank that was entered into the ledger. */
export const importedStatement = pgTable(
  "imported_statement",
  {
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => ledgerAccount.id),
    /** The statement's own `Id`, which its bank gives once for each account. */
    statementId: varchar("statement_id", { length: 35 }).notNull(),
    openingMinor: bigint("opening_minor", { mode: "bigint" }).notNull(),
    closingMinor: bigint("closing_minor", { mode: "bigint" }).notNull(),
    importedAt: timestamp("imported_at", {
      withTimezone: true,
      precision: 3,
      mode: "date",
    }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.statementId] })],
);
