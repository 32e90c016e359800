import { pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { PaymentId } from "../../../lib/domain/identifiers";
import type { PaymentRejection } from "../../../lib/domain/payment/payment";
import type { TransactionStatus } from "../../../lib/domain/payment/transaction-status";
import { instant } from "../columns";
import { payment } from "./payment";

/** Each status a payment has had, once: the key refuses a step that is taken twice. Written by a trigger. */
export const paymentStatusChange = pgTable(
  "payment_status_change",
  {
    paymentId: uuid("payment_id")
      .$type<PaymentId>()
      .notNull()
      .references(() => payment.id),
    status: text("status").$type<TransactionStatus>().notNull(),
    at: instant("at").notNull(),
    reason: text("reason").$type<PaymentRejection>(),
  },
  (row) => [primaryKey({ columns: [row.paymentId, row.status] })],
);
