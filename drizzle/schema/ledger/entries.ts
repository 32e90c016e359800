import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, unique } from "drizzle-orm/pg-core";
import type { BatchMember, TransactionDetails } from "../../../lib/domain/accounts";
import type { TransactionId } from "../../../lib/domain/values";
import { day, iban, instant, minorUnits } from "../columns";
import { ofAccount } from "./accounts";

/** What few entries have; amounts in minor units of the account's currency, as text. */
export type EntryDetails = Omit<TransactionDetails, "balanceAfter" | "batch"> & {
  readonly counterpartyUltimateName?: string;
  readonly bookedAfterMinor?: string;
  readonly batch?: {
    readonly count: number;
    readonly members?: readonly (Omit<BatchMember, "amount"> & { readonly amountMinor: string })[];
  };
};

/**
 * One side of a transfer, as its account sees it: negative leaves the account. The entries of a
 * transfer carry the same `transfer_id` and add up to zero, so all entries of a currency do too.
 * The row and its id stay when a pending entry is booked.
 */
export const ledgerEntry = pgTable(
  "ledger_entry",
  (t) => ({
    /** The standard's `transactionId`. */
    id: t.uuid("id").$type<TransactionId>().primaryKey(),
    transferId: t.uuid("transfer_id").notNull(),
    accountId: ofAccount(),
    status: t.text("status", { enum: ["pending", "booked"] }).notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    enteredOn: day("entered_on").notNull(),
    bookedOn: day("booked_on"),
    /** What a list is ordered and selected by: the booking date, before booking the day of entry. */
    day: day("day").notNull().generatedAlwaysAs(sql`coalesce(booked_on, entered_on)`),
    /** The value date; unknown until the other bank has named it. */
    valueOn: day("value_on"),
    counterpartyName: t.varchar("counterparty_name", { length: 70 }),
    counterpartyIban: iban("counterparty_iban"),
    counterpartyBic: t.varchar("counterparty_bic", { length: 11 }),
    remittance: t.varchar("remittance", { length: 140 }),
    endToEndId: t.varchar("end_to_end_id", { length: 35 }),
    entryReference: t.varchar("entry_reference", { length: 35 }),
    bankTransactionCode: t.varchar("bank_transaction_code", { length: 35 }).notNull(),
    details: t.json("details").$type<EntryDetails>(),
    /** When it was entered, or since then booked. */
    changedAt: instant("changed_at").notNull(),
    /** The revisions of the account's books that it was entered and booked in; a trigger sets them. */
    enteredIn: minorUnits("entered_in").notNull().default(sql`0`),
    bookedIn: minorUnits("booked_in"),
    /** Its `day` before it was booked, where a report that was begun before keeps it. */
    pendingDay: day("pending_day"),
    /**
     * The entry as reports read it, so that a page of them is put together and not made. The function gives
     * the order of its texts; it is written in a migration, and another order needs another column.
     */
    line: t
      .json("line")
      .notNull()
      .generatedAlwaysAs(
        sql`ledger_entry_line(id, status, amount_minor, coalesce(booked_on, entered_on), counterparty_name, counterparty_iban, counterparty_bic, bank_transaction_code, value_on, remittance, end_to_end_id, entry_reference, details)`,
      ),
  }),
  (table) => [
    // Newest first is this index read backwards.
    index("ledger_entry_page").on(table.accountId, table.day, table.id),
    // A page of pending entries alone would else read every booked one between them.
    index("ledger_entry_pending_page")
      .on(table.accountId, table.day, table.id)
      .where(sql`${table.status} = 'pending'`),
    // What was pending when a report was begun, and was booked before its next page.
    index("ledger_entry_booked_since")
      .on(table.accountId, table.bookedIn)
      .where(sql`${table.pendingDay} is not null`),
    unique("ledger_entry_side_of_transfer").on(table.transferId, table.accountId),
    // Refuses the same entry again, as of two imports at the same time.
    unique("ledger_entry_reference").on(table.accountId, table.entryReference),
    check("ledger_entry_amount", sql`${table.amountMinor} <> 0`),
    check("ledger_entry_status", sql`${table.status} in ('pending', 'booked')`),
    check(
      "ledger_entry_booked_iff_booking_date",
      sql`(${table.status} = 'booked') = (${table.bookedOn} is not null)`,
    ),
    check(
      "ledger_entry_booked_in_a_revision",
      sql`(${table.status} = 'booked') = (${table.bookedIn} is not null)`,
    ),
    check("ledger_entry_entered_before_booked", sql`${table.bookedOn} >= ${table.enteredOn}`),
  ],
);

/**
 * What the entries of one day add up to, for a balance as of a day: the account's sum less that of the
 * few days after it. Kept by a trigger like the sums of the account, and of no internal account either.
 */
export const ledgerDay = pgTable(
  "ledger_day",
  {
    accountId: ofAccount(),
    day: day("day").notNull(),
    /** Booked on this day. */
    bookedMinor: minorUnits("booked_minor").notNull(),
    /** Pending, with this day as value date. */
    pendingMinor: minorUnits("pending_minor").notNull(),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.day] })],
);

/** A statement of another bank that was entered into the ledger. */
export const importedStatement = pgTable(
  "imported_statement",
  (t) => ({
    accountId: ofAccount(),
    /** The statement's own `Id`, which its bank gives once for each account. */
    statementId: t.varchar("statement_id", { length: 35 }).notNull(),
    openingMinor: minorUnits("opening_minor").notNull(),
    closingMinor: minorUnits("closing_minor").notNull(),
    importedAt: instant("imported_at").notNull(),
  }),
  (table) => [primaryKey({ columns: [table.accountId, table.statementId] })],
);
