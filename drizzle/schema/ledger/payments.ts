import { sql } from "drizzle-orm";
import { check, customType, index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import type { PaymentProduct } from "../../../lib/domain/bank-profile";
import type { Bic, PaymentRejection, TransactionStatus } from "../../../lib/domain/payment-order";
import type { PaymentId } from "../../../lib/domain/values";
import { currency, day, iban, instant, minorUnits, psuId } from "../columns";
import { ofAccount } from "./accounts";

/** A payment that was submitted to the ledger, once for each id, and how far its execution has come. */
export const ledgerPayment = pgTable(
  "ledger_payment",
  (t) => ({
    id: t.uuid("id").$type<PaymentId>().primaryKey(),
    /** Of all that was submitted, to tell another submission under the same id; null where none was kept. */
    digest: t.text("digest"),
    psuId: psuId().notNull(),
    product: t.text("product").$type<PaymentProduct>().notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    currency: currency("currency").notNull(),
    debtorIban: iban("debtor_iban").notNull(),
    creditorName: t.varchar("creditor_name", { length: 70 }).notNull(),
    creditorIban: iban("creditor_iban").notNull(),
    creditorCurrency: currency("creditor_currency"),
    creditorAgent: t.char("creditor_agent", { length: 8 }).$type<Bic>(),
    endToEndId: t.varchar("end_to_end_id", { length: 35 }),
    remittance: t.varchar("remittance", { length: 140 }),
    rejectWithoutFunds: t.boolean("reject_without_funds").notNull(),
    authorisedAt: instant("authorised_at").notNull(),
    accountId: ofAccount(),
    /** Amount and fee in minor units of the account's currency. */
    debitMinor: minorUnits("debit_minor").notNull(),
    feeMinor: minorUnits("fee_minor").notNull(),
    debitCurrency: currency("debit_currency").notNull(),
    status: t.text("status").$type<TransactionStatus>().notNull(),
    /** What the funds check at the submission found; null when the payment was refused. */
    fundsAvailable: t.boolean("funds_available"),
    /** What it takes of the PSU's limit of which day; given back when it is rejected after all. */
    limitDay: day("limit_day"),
    limitMinor: minorUnits("limit_minor"),
    /** When the next step of its execution is due; null while nothing is. */
    dueAt: instant("due_at"),
  }),
  (row) => [
    index("ledger_payment_due").on(row.dueAt).where(sql`${row.dueAt} is not null`),
    check("ledger_payment_amounts", sql`${row.debitMinor} > 0 and ${row.feeMinor} >= 0`),
  ],
);

/** A transaction's number, which is never given twice; as text, since a float would lose digits. */
const transactionNumber = customType<{ data: string }>({ dataType: () => "xid8" });

/** Each status a payment has had at the ledger, once: the key refuses a step that is taken twice. */
export const ledgerPaymentStatus = pgTable(
  "ledger_payment_status",
  (t) => ({
    paymentId: t
      .uuid("payment_id")
      .$type<PaymentId>()
      .notNull()
      .references(() => ledgerPayment.id),
    status: t.text("status").$type<TransactionStatus>().notNull(),
    at: instant("at").notNull(),
    reason: t.text("reason").$type<PaymentRejection>(),
    /** The transaction that has written it: what the feed of changes is ordered by. */
    changedIn: transactionNumber("changed_in").notNull().default(sql`pg_current_xact_id()`),
  }),
  (row) => [
    primaryKey({ columns: [row.paymentId, row.status] }),
    index("ledger_payment_status_changes").on(row.changedIn, row.paymentId),
  ],
);

/** What a PSU has sent on a local day, in minor units of the limit's currency. */
export const paymentLimitDay = pgTable(
  "payment_limit_day",
  {
    psuId: psuId().notNull(),
    day: day("day").notNull(),
    usedMinor: minorUnits("used_minor").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.psuId, row.day] }),
    check("payment_limit_day_used", sql`${row.usedMinor} >= 0`),
  ],
);
