import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, unique, uuid } from "drizzle-orm/pg-core";
import type { ChargeBearer, PaymentProduct } from "../../../lib/domain/bank-profile";
import {
  type Bic,
  type CreditorAddress,
  type PaymentRejection,
  type TransactionStatus,
  transactionTransitions,
} from "../../../lib/domain/payment-order";
import type {
  AccountId,
  AuthorisationId,
  ChangePosition,
  PaymentId,
  RequestId,
} from "../../../lib/domain/values";
import { coreBankId, currency, iban, instant, minorUnits, oneOf, psuId } from "../columns";
import { ofTpp } from "./tpps";

/**
 * What is to be paid, as the TPP has sent it. A row is never changed and never removed: a trigger
 * refuses both, so what the PSU sees, authorises and pays is one and the same (RTS art. 5(1)). What
 * becomes of it is in `payment_state`.
 */
export const payment = pgTable(
  "payment",
  (t) => ({
    id: t.uuid("id").$type<PaymentId>().primaryKey(),
    tppId: ofTpp(),
    authorisationId: t.uuid("authorisation_id").$type<AuthorisationId>().notNull(),
    product: t.text("product").$type<PaymentProduct>().notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    currency: currency("currency").notNull(),
    debtorIban: iban("debtor_iban").notNull(),
    debtorCurrency: currency("debtor_currency"),
    creditorName: t.varchar("creditor_name", { length: 70 }).notNull(),
    creditorIban: iban("creditor_iban").notNull(),
    creditorCurrency: currency("creditor_currency"),
    creditorAgent: t.char("creditor_agent", { length: 8 }).$type<Bic>(),
    creditorAddress: t.json("creditor_address").$type<CreditorAddress>(),
    endToEndId: t.varchar("end_to_end_id", { length: 35 }),
    remittance: t.varchar("remittance", { length: 140 }),
    chargeBearer: t.char("charge_bearer", { length: 4 }).$type<ChargeBearer>().notNull(),
    rejectWithoutFunds: t.boolean("reject_without_funds").notNull(),
    /** The body word for word; `json` keeps the order of its members. */
    instruction: t.json("instruction").$type<unknown>().notNull(),
    createdAt: instant("created_at").notNull(),
  }),
  (row) => [
    unique("payment_of_authorisation").on(row.authorisationId),
    index("payment_of_tpp").on(row.tppId, row.createdAt),
    /** What the bank's staff search by; a hash index keeps no IBAN. */
    index("payment_debtor_iban").using("hash", row.debtorIban),
    index("payment_creditor_iban").using("hash", row.creditorIban),
    index("payment_end_to_end_id")
      .using("hash", row.endToEndId)
      .where(sql`${row.endToEndId} is not null`),
    check("payment_amount", sql`${row.amountMinor} > 0`),
  ],
);

const ofPayment = () =>
  uuid("payment_id")
    .$type<PaymentId>()
    .references(() => payment.id);

/**
 * The first answer to a TPP's X-Request-ID, byte for byte, for as long as the payment is kept. The
 * primary key decides between calls that arrive together. Never changed, never removed: a trigger.
 */
export const paymentInitiation = pgTable(
  "payment_initiation",
  (t) => ({
    tppId: ofTpp(),
    requestId: t.uuid("request_id").$type<RequestId>().notNull(),
    /** base64url of the SHA-256 of the body that was answered. */
    bodyDigest: t.text("body_digest").notNull(),
    status: t.smallint("status").notNull(),
    headers: t.json("headers").$type<Readonly<Record<string, string>>>().notNull(),
    body: t.text("body").notNull(),
    /** Null where a rule of the bank refused it. Checked as the transaction ends: the answer comes first. */
    paymentId: ofPayment(),
    createdAt: instant("created_at").notNull(),
  }),
  (row) => [
    primaryKey({ columns: [row.tppId, row.requestId] }),
    unique("payment_initiation_of_payment").on(row.paymentId),
  ],
);

/**
 * What has become of a payment. Its status moves forward only, by the domain's table; a trigger refuses
 * any other change and keeps each status in `payment_status_change`. What was authorised is set once.
 */
export const paymentState = pgTable(
  "payment_state",
  (t) => ({
    paymentId: ofPayment().primaryKey(),
    status: t.text("status").$type<TransactionStatus>().notNull(),
    statusAt: instant("status_at").notNull(),
    reason: t.text("reason").$type<PaymentRejection>(),
    fundsAvailable: t.boolean("funds_available"),
    psuId: psuId(),
    authorisedAt: instant("authorised_at"),
    /** Amount and fee in minor units of the debited account's currency. */
    debitAccountId: coreBankId("debit_account_id").$type<AccountId>(),
    debitCurrency: currency("debit_currency"),
    debitMinor: minorUnits("debit_minor"),
    feeMinor: minorUnits("fee_minor"),
    /** The core bank has been given it, and a restored backup does not know who authorised what. */
    authorisationLost: t.boolean("authorisation_lost").notNull().default(false),
  }),
  (row) => [
    index("payment_state_of_psu").on(row.psuId),
    check("payment_state_status", oneOf(row.status, Object.keys(transactionTransitions))),
    check("payment_state_reason", sql`(${row.status} = 'RJCT') = (${row.reason} is not null)`),
    check(
      "payment_state_authorised",
      sql`${row.status} in ('RCVD', 'RJCT') or ${row.authorisationLost} or (${row.psuId} is not null and ${row.authorisedAt} is not null and ${row.debitAccountId} is not null and ${row.debitCurrency} is not null and ${row.debitMinor} > 0 and ${row.feeMinor} >= 0)`,
    ),
  ],
);

/** Each status a payment has had, once: the key refuses a step that is taken twice. Written by a trigger. */
export const paymentStatusChange = pgTable(
  "payment_status_change",
  (t) => ({
    paymentId: ofPayment().notNull(),
    status: t.text("status").$type<TransactionStatus>().notNull(),
    at: instant("at").notNull(),
    reason: t.text("reason").$type<PaymentRejection>(),
  }),
  (row) => [primaryKey({ columns: [row.paymentId, row.status] })],
);

/** How far the core bank's feed of changes has been read; one row. */
export const coreBankFeed = pgTable(
  "core_bank_feed",
  (t) => ({
    id: t.boolean("id").primaryKey().default(true),
    position: t.text("position").$type<ChangePosition>(),
  }),
  (row) => [check("core_bank_feed_one_row", sql`${row.id}`)],
);

/**
 * The outbox: authorised payments that have not come to their end at the core bank. While one is ACTC it is to be
 * submitted, after that its progress is asked for.
 */
export const paymentSubmission = pgTable(
  "payment_submission",
  (t) => ({
    paymentId: ofPayment().primaryKey(),
    dueAt: instant("due_at").notNull(),
    /** Since the core bank's last answer. */
    attempts: t.smallint("attempts").notNull().default(0),
    /** The core bank has another order under this id: what it tells of that one is not this payment's. */
    conflict: t.boolean("conflict").notNull().default(false),
  }),
  (row) => [index("payment_submission_due").on(row.dueAt)],
);
