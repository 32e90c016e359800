import { sql } from "drizzle-orm";
import {
  check,
  index,
  pgTable,
  pgView,
  primaryKey,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { AccountId, PsuId } from "../../../lib/domain/values";
import { currency, iban, instant, minorUnits } from "../columns";

/** A person, or an organisation that people act for. */
export const customer = pgTable(
  "customer",
  (t) => ({
    id: t.uuid("id").$type<PsuId>().primaryKey(),
    /** The standard's longest `ownerName` has 140 characters. */
    name: t.varchar("name", { length: 140 }).notNull(),
    /** The most this person sends in one payment, in cents of a euro, as set in the bank's own channel. */
    paymentLimitMinor: minorUnits("payment_limit_minor"),
  }),
  (table) => [check("customer_payment_limit", sql`${table.paymentLimitMinor} >= 0`)],
);

/**
 * An account in one currency. The sub-accounts of a multi-currency IBAN are rows that share it.
 * `internal` accounts are the bank's own: they take the other side of what leaves or enters the
 * bank, have no IBAN and no owner, and are never shown.
 */
export const ledgerAccount = pgTable(
  "ledger_account",
  (t) => ({
    id: t.uuid("id").$type<AccountId>().primaryKey(),
    iban: iban("iban"),
    currency: currency("currency").notNull(),
    bic: t.varchar("bic", { length: 11 }).notNull(),
    /** The customer's own name of it. */
    displayName: t.varchar("display_name", { length: 70 }),
    linkedAccounts: t.varchar("linked_accounts", { length: 70 }),
    maskedPan: t.varchar("masked_pan", { length: 35 }),
    name: t.varchar("name", { length: 70 }).notNull(),
    product: t.varchar("product", { length: 35 }).notNull(),
    kind: t.text("kind", { enum: ["current", "savings", "loan", "internal"] }).notNull(),
    usage: t.text("usage", { enum: ["PRIV", "ORGA"] }).notNull(),
    status: t.text("status", { enum: ["enabled", "blocked", "deleted"] }).notNull(),
    isDefault: t.boolean("is_default").notNull(),
    /** How far below zero the balance may go. */
    overdraftMinor: minorUnits("overdraft_minor").notNull(),
    /** The order in which the bank's own channel shows accounts. */
    position: t.integer("position").notNull(),
    /**
     * Counts the changes of its entries; a trigger does so. It locks this row until the end of the
     * transaction, so a revision that one sees stands for exactly the changes that one sees.
     */
    revision: minorUnits("revision").notNull().default(sql`0`),
    /**
     * The sum of its entries, so that no balance costs more with more entries. Kept only by the trigger
     * that counts the revision, under the same lock. Not of internal accounts: each payment has a side
     * there, and payments would queue for the one row.
     */
    bookedMinor: minorUnits("booked_minor").notNull().default(sql`0`),
    pendingMinor: minorUnits("pending_minor").notNull().default(sql`0`),
    /** Of the pending ones those that leave the account: zero or negative. */
    reservedMinor: minorUnits("reserved_minor").notNull().default(sql`0`),
    /** Of the pending ones those without a value date. */
    undatedMinor: minorUnits("undated_minor").notNull().default(sql`0`),
    /** The latest `changed_at` that an entry has had; null as long as there is none. */
    changedAt: instant("changed_at"),
  }),
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

export const ofAccount = () =>
  uuid("account_id")
    .$type<AccountId>()
    .notNull()
    .references(() => ledgerAccount.id);

/** Who may use an account, and as what. A joint account has several owners. */
export const accountOwner = pgTable(
  "account_owner",
  (t) => ({
    accountId: ofAccount(),
    customerId: t
      .uuid("customer_id")
      .$type<PsuId>()
      .notNull()
      .references(() => customer.id),
    role: t.text("role", { enum: ["owner", "legalRepresentative", "authorisedUser"] }).notNull(),
  }),
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
  availableMinor: minorUnits("available_minor").notNull(),
}).existing();
