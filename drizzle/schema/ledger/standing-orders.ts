import { sql } from "drizzle-orm";
import { check, index, pgTable } from "drizzle-orm/pg-core";
import type { TransactionId } from "../../../lib/domain/values";
import { day, iban, minorUnits } from "../columns";
import { ofAccount } from "./accounts";

/** An order to pay again and again. The amount is what one execution takes: negative. */
export const standingOrder = pgTable(
  "standing_order",
  (t) => ({
    id: t.uuid("id").$type<TransactionId>().primaryKey(),
    accountId: ofAccount(),
    amountMinor: minorUnits("amount_minor").notNull(),
    counterpartyName: t.varchar("counterparty_name", { length: 70 }),
    counterpartyIban: iban("counterparty_iban"),
    counterpartyBic: t.varchar("counterparty_bic", { length: 11 }),
    remittance: t.varchar("remittance", { length: 140 }),
    startOn: day("start_on").notNull(),
    endOn: day("end_on"),
    frequency: t
      .text("frequency", { enum: ["Weekly", "Monthly", "Quarterly", "Annual"] })
      .notNull(),
    /** 31 means the last day of the month. */
    dayOfExecution: t.smallint("day_of_execution"),
  }),
  (table) => [
    index("standing_order_account").on(table.accountId),
    check("standing_order_amount", sql`${table.amountMinor} < 0`),
    check(
      "standing_order_frequency",
      sql`${table.frequency} in ('Weekly', 'Monthly', 'Quarterly', 'Annual')`,
    ),
    check("standing_order_day", sql`${table.dayOfExecution} between 1 and 31`),
    check("standing_order_ends_after_start", sql`${table.endOn} >= ${table.startOn}`),
  ],
);
