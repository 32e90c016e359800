import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  char,
  check,
  index,
  integer,
  pgTable,
  pgView,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import type { AccountId, Currency, Iban, PsuId } from "../../../lib/domain/values";
import { instant } from "../columns";

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

/**
 * An account in one currency. The sub-accounts of a multi-currency IBAN are rows that share it.
 * `internal` accounts are the bank's own: they take the other side of what leaves or enters the
 * bank, have no IBAN and no owner, and are shown to nobody.
 */
export const ledgerAccount = pgTable(
  "ledger_account",
  {
    id: uuid("id").$type<AccountId>().primaryKey(),
    iban: varchar("iban", { length: 34 }).$type<Iban>(),
    currency: char("currency", { length: 3 }).$type<Currency>().notNull(),
    bic: varchar("bic", { length: 11 }).notNull(),
    name: varchar("name", { length: 70 }).notNull(),
    product: varchar("product", { length: 35 }).notNull(),
    kind: text("kind", { enum: ["current", "savings", "loan", "internal"] }).notNull(),
    usage: text("usage", { enum: ["PRIV", "ORGA"] }).notNull(),
    status: text("status", { enum: ["enabled", "blocked", "deleted"] }).notNull(),
    isDefault: boolean("is_default").notNull(),
    /** How far below zero the balance may go. */
    overdraftMinor: bigint("overdraft_minor", { mode: "bigint" }).notNull(),
    /** The order in which the bank's own channel shows accounts. */
    position: integer("position").notNull(),
    /**
     * Counts the changes of its entries; a trigger does so. Whoever changes entries holds this row
     * until the end of the transaction, so the revision one sees says exactly which changes one sees.
     */
    revision: bigint("revision", { mode: "bigint" }).notNull().default(sql`0`),
    /**
     * What its entries add up to, so that no balance costs more with more entries. Kept by the trigger
     * that counts the revision, under the same lock, and changed by nobody else. Of internal accounts
     * nothing is kept: each payment has a side there, and payments would queue for the one row.
     */
    bookedMinor: bigint("booked_minor", { mode: "bigint" }).notNull().default(sql`0`),
    pendingMinor: bigint("pending_minor", { mode: "bigint" }).notNull().default(sql`0`),
    /** Of the pending ones those that leave the account: zero or negative. */
    reservedMinor: bigint("reserved_minor", { mode: "bigint" }).notNull().default(sql`0`),
    /** Of the pending ones those without a value date. */
    undatedMinor: bigint("undated_minor", { mode: "bigint" }).notNull().default(sql`0`),
    /** The latest `changed_at` that an entry has had; null as long as there is none. */
    changedAt: instant("changed_at"),
  },
  (table) => [
    unique("ledger_account_iban_currency").on(table.iban, table.currency),
    uniqueIndex("ledger_account_one_default").on(table.iban).where(sql`${table.isDefault}`),
    uniqueIndex("ledger_account_one_clearing")
      .on(table.currency)
      .where(sql`${table.kind} = 'internal'`),
    check(
      "ledger_account_kind",
      sql`${table.kind} in ('current', 'savings', 'loan', 'internal') and (${table.kind} = 'internal') = (${table.iban} is null)`,
    ),
    check("ledger_account_usage", sql`${table.usage} in ('PRIV', 'ORGA')`),
    check("ledger_account_status", sql`${table.status} in ('enabled', 'blocked', 'deleted')`),
    check("ledger_account_currency", sql`${table.currency} ~ '^[A-Z]{3}$'`),
    check("ledger_account_overdraft", sql`${table.overdraftMinor} >= 0`),
  ],
);

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

/**
 * What may leave an account now: balance plus overdraft less what is reserved, in minor units. The one
 * place that says so, for payments and for confirmations of funds. Its SQL is in a migration.
 */
export const accountFunds = pgView("account_funds", {
  accountId: uuid("account_id").$type<AccountId>().notNull(),
  availableMinor: bigint("available_minor", { mode: "bigint" }).notNull(),
}).existing();
