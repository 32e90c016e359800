import { sql } from "drizzle-orm";
import {
  bigint,
  check,
  date,
  index,
  json,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import type { AccountId, Iban, IsoDate, TransactionId } from "../../../lib/domain/values";
import { ledgerAccount } from "./accounts";

/**
 * One side of a transfer, as its account sees it: negative leaves the account. The entries of a
 * transfer carry the same `transfer_id` and add up to zero, so all entries of a currency do too.
 * The row and its id stay when a pending entry is booked.
 */
export const ledgerEntry = pgTable(
  "ledger_entry",
  {
    /** The standard's `transactionId`. */
    id: uuid("id").$type<TransactionId>().primaryKey(),
    transferId: uuid("transfer_id").notNull(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => ledgerAccount.id),
    status: text("status", { enum: ["pending", "booked"] }).notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
    enteredOn: date("entered_on", { mode: "string" }).$type<IsoDate>().notNull(),
    bookedOn: date("booked_on", { mode: "string" }).$type<IsoDate>(),
    /** What a list is ordered and selected by: the booking date, before booking the day of entry. */
    day: date("day", { mode: "string" })
      .$type<IsoDate>()
      .notNull()
      .generatedAlwaysAs(sql`coalesce(booked_on, entered_on)`),
    /** When the money counts; unknown until the other side has said so. */
    valueOn: date("value_on", { mode: "string" }).$type<IsoDate>(),
    counterpartyName: varchar("counterparty_name", { length: 70 }),
    counterpartyIban: varchar("counterparty_iban", { length: 34 }).$type<Iban>(),
    counterpartyBic: varchar("counterparty_bic", { length: 11 }),
    remittance: varchar("remittance", { length: 140 }),
    endToEndId: varchar("end_to_end_id", { length: 35 }),
    entryReference: varchar("entry_reference", { length: 35 }),
    bankTransactionCode: varchar("bank_transaction_code", { length: 35 }).notNull(),
    /** When it was entered, or since then booked. */
    changedAt: timestamp("changed_at", {
      withTimezone: true,
      precision: 3,
      mode: "date",
    }).notNull(),
    /** The revisions of the account's books that it was entered and booked in; a trigger sets them. */
    enteredIn: bigint("entered_in", { mode: "bigint" }).notNull().default(sql`0`),
    bookedIn: bigint("booked_in", { mode: "bigint" }),
    /** Its `day` before it was booked; a report that was begun by then goes on having it there. */
    pendingDay: date("pending_day", { mode: "string" }).$type<IsoDate>(),
    /**
     * The entry as reports read it, so that a page of them is put together and not made. The function gives
     * the order of its texts; it is written in a migration, and another order needs another column.
     */
    line: json("line")
      .notNull()
      .generatedAlwaysAs(
        sql`ledger_entry_line(id, status, amount_minor, coalesce(booked_on, entered_on), counterparty_name, counterparty_iban, counterparty_bic, bank_transaction_code, value_on, remittance, end_to_end_id, entry_reference)`,
      ),
  },
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
    // Whoever enters the same entry again, an import at the same time for one, meets it.
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
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => ledgerAccount.id),
    day: date("day", { mode: "string" }).$type<IsoDate>().notNull(),
    /** Booked on this day. */
    bookedMinor: bigint("booked_minor", { mode: "bigint" }).notNull(),
    /** Pending, with this day as value date. */
    pendingMinor: bigint("pending_minor", { mode: "bigint" }).notNull(),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.day] })],
);

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
