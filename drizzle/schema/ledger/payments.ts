import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  char,
  check,
  date,
  index,
  pgTable,
  primaryKey,
  text,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import type { PaymentProduct } from "../../../lib/domain/bank-profile";
import type { Bic, PaymentRejection, TransactionStatus } from "../../../lib/domain/payment-order";
import type {
  AccountId,
  Currency,
  Iban,
  IsoDate,
  PaymentId,
  PsuId,
} from "../../../lib/domain/values";
import { instant } from "../columns";
import { ledgerAccount } from "./accounts";

/** A payment that was submitted to the ledger, once for each id, and how far its execution has come. */
export const ledgerPayment = pgTable(
  "ledger_payment",
  {
    id: uuid("id").$type<PaymentId>().primaryKey(),
    /** Of all that was submitted, to tell another submission under the same id; null where none was kept. */
    digest: text("digest"),
    psuId: text("psu_id").$type<PsuId>().notNull(),
    product: text("product").$type<PaymentProduct>().notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
    currency: char("currency", { length: 3 }).$type<Currency>().notNull(),
    debtorIban: varchar("debtor_iban", { length: 34 }).$type<Iban>().notNull(),
    creditorName: varchar("creditor_name", { length: 70 }).notNull(),
    creditorIban: varchar("creditor_iban", { length: 34 }).$type<Iban>().notNull(),
    creditorCurrency: char("creditor_currency", { length: 3 }).$type<Currency>(),
    creditorAgent: char("creditor_agent", { length: 8 }).$type<Bic>(),
    endToEndId: varchar("end_to_end_id", { length: 35 }),
    remittance: varchar("remittance", { length: 140 }),
    rejectWithoutFunds: boolean("reject_without_funds").notNull(),
    authorisedAt: instant("authorised_at").notNull(),
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => ledgerAccount.id),
    /** Amount and fee in minor units of the account's currency. */
    debitMinor: bigint("debit_minor", { mode: "bigint" }).notNull(),
    feeMinor: bigint("fee_minor", { mode: "bigint" }).notNull(),
    debitCurrency: char("debit_currency", { length: 3 }).$type<Currency>().notNull(),
    status: text("status").$type<TransactionStatus>().notNull(),
    /** What the funds check at the submission found; null when the payment was refused. */
    fundsAvailable: boolean("funds_available"),
    /** What it takes of the PSU's limit of which day; given back when it is rejected after all. */
    limitDay: date("limit_day", { mode: "string" }).$type<IsoDate>(),
    limitMinor: bigint("limit_minor", { mode: "bigint" }),
    /** When the next step of its execution is due; null while nothing is. */
    dueAt: instant("due_at"),
  },
  (row) => [
    index("ledger_payment_due").on(row.dueAt).where(sql`${row.dueAt} is not null`),
    check("ledger_payment_amounts", sql`${row.debitMinor} > 0 and ${row.feeMinor} >= 0`),
  ],
);

/** Each status a payment has had at the ledger, once: the key refuses a step that is taken twice. */
export const ledgerPaymentStatus = pgTable(
  "ledger_payment_status",
  {
    paymentId: uuid("payment_id")
      .$type<PaymentId>()
      .notNull()
      .references(() => ledgerPayment.id),
    status: text("status").$type<TransactionStatus>().notNull(),
    at: instant("at").notNull(),
    reason: text("reason").$type<PaymentRejection>(),
  },
  (row) => [primaryKey({ columns: [row.paymentId, row.status] })],
);

/** What a PSU has sent on a local day, in minor units of the limit's currency. */
export const paymentLimitDay = pgTable(
  "payment_limit_day",
  {
    psuId: text("psu_id").$type<PsuId>().notNull(),
    day: date("day", { mode: "string" }).$type<IsoDate>().notNull(),
    usedMinor: bigint("used_minor", { mode: "bigint" }).notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.psuId, row.day] }),
    check("payment_limit_day_used", sql`${row.usedMinor} >= 0`),
  ],
);
