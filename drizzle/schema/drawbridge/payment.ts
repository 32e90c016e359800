import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  char,
  check,
  index,
  json,
  pgTable,
  text,
  unique,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import type { Iban } from "../../../lib/domain/iban";
import type { AuthorisationId, PaymentId, TppId } from "../../../lib/domain/identifiers";
import type { Currency } from "../../../lib/domain/money";
import type { Bic, CreditorAddress } from "../../../lib/domain/payment/payment";
import type { PaymentProduct } from "../../../lib/domain/payment/payment-product";
import type { ChargeBearer } from "../../../lib/domain/payment/product-terms";
import { instant } from "../columns";
import { tpp } from "./tpp";

/**
 * What is to be paid, as the TPP has sent it. A row is never changed and never removed: a trigger
 * refuses both, so what the PSU sees, authorises and pays is one and the same (RTS art. 5(1)). What
 * becomes of it is in `payment_state`.
 */
export const payment = pgTable(
  "payment",
  {
    id: uuid("id").$type<PaymentId>().primaryKey(),
    tppId: text("tpp_id")
      .$type<TppId>()
      .notNull()
      .references(() => tpp.id),
    authorisationId: uuid("authorisation_id").$type<AuthorisationId>().notNull(),
    product: text("product").$type<PaymentProduct>().notNull(),
    amountMinor: bigint("amount_minor", { mode: "bigint" }).notNull(),
    currency: char("currency", { length: 3 }).$type<Currency>().notNull(),
    debtorIban: varchar("debtor_iban", { length: 34 }).$type<Iban>().notNull(),
    debtorCurrency: char("debtor_currency", { length: 3 }).$type<Currency>(),
    creditorName: varchar("creditor_name", { length: 70 }).notNull(),
    creditorIban: varchar("creditor_iban", { length: 34 }).$type<Iban>().notNull(),
    creditorCurrency: char("creditor_currency", { length: 3 }).$type<Currency>(),
    creditorAgent: char("creditor_agent", { length: 8 }).$type<Bic>(),
    creditorAddress: json("creditor_address").$type<CreditorAddress>(),
    endToEndId: varchar("end_to_end_id", { length: 35 }),
    remittance: varchar("remittance", { length: 140 }),
    chargeBearer: char("charge_bearer", { length: 4 }).$type<ChargeBearer>().notNull(),
    rejectWithoutFunds: boolean("reject_without_funds").notNull(),
    /** The body word for word; `json` keeps the order of its members. */
    instruction: json("instruction").$type<unknown>().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (row) => [
    unique("payment_of_authorisation").on(row.authorisationId),
    index("payment_of_tpp").on(row.tppId, row.createdAt),
    check("payment_amount", sql`${row.amountMinor} > 0`),
  ],
);
