import { index, pgTable, smallint, uuid } from "drizzle-orm/pg-core";
import type { PaymentId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";
import { payment } from "./payment";

/**
 * The outbox: authorised payments that have not come to their end at the core bank. While one is ACTC it is to be
 * submitted, after that its progress is asked for.
 */
export const paymentSubmission = pgTable(
  "payment_submission",
  {
    paymentId: uuid("payment_id")
      .$type<PaymentId>()
      .primaryKey()
      .references(() => payment.id),
    dueAt: instant("due_at").notNull(),
    /** Since the core bank's last answer. */
    attempts: smallint("attempts").notNull().default(0),
  },
  (row) => [index("payment_submission_due").on(row.dueAt)],
);
