import { json, pgTable, primaryKey, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import type { PaymentId, RequestId, TppId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";
import { payment } from "./payment";
import { tpp } from "./tpp";

/**
 * The first answer to a TPP's X-Request-ID, byte for byte, for as long as the payment is kept. The
 * primary key decides between calls that arrive together. Never changed, never removed: a trigger.
 */
export const paymentInitiation = pgTable(
  "payment_initiation",
  {
    tppId: text("tpp_id")
      .$type<TppId>()
      .notNull()
      .references(() => tpp.id),
    requestId: uuid("request_id").$type<RequestId>().notNull(),
    /** base64url of the SHA-256 of the body that was answered. */
    bodyDigest: text("body_digest").notNull(),
    status: smallint("status").notNull(),
    headers: json("headers").$type<Readonly<Record<string, string>>>().notNull(),
    body: text("body").notNull(),
    /** Null where a rule of the bank refused it. Checked as the transaction ends: the answer comes first. */
    paymentId: uuid("payment_id")
      .$type<PaymentId>()
      .references(() => payment.id),
    createdAt: instant("created_at").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.tppId, row.requestId] }),
    unique("payment_initiation_of_payment").on(row.paymentId),
  ],
);
