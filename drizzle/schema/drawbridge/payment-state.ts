import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  char,
  check,
  index,
  pgTable,
  text,
  uuid,
  varchar,
} from "drizzle-orm/pg-core";
import { CORE_BANK_ID_CHARACTERS_MAX } from "../../../lib/domain/core-bank";
import type { AccountId, PaymentId, PsuId } from "../../../lib/domain/identifiers";
import type { Currency } from "../../../lib/domain/money";
import type { PaymentRejection } from "../../../lib/domain/payment/payment";
import {
  type TransactionStatus,
  transactionTransitions,
} from "../../../lib/domain/payment/transaction-status";
import { instant, oneOf } from "../columns";
import { payment } from "./payment";

/**
 * What has become of a payment. Its status moves forward only, by the domain's table; a trigger refuses
 * any other change and keeps each status in `payment_status_change`. What was authorised is set once.
 */
export const paymentState = pgTable(
  "payment_state",
  {
    paymentId: uuid("payment_id")
      .$type<PaymentId>()
      .primaryKey()
      .references(() => payment.id),
    status: text("status").$type<TransactionStatus>().notNull(),
    statusAt: instant("status_at").notNull(),
    reason: text("reason").$type<PaymentRejection>(),
    fundsAvailable: boolean("funds_available"),
    psuId: text("psu_id").$type<PsuId>(),
    authorisedAt: instant("authorised_at"),
    /** Amount and fee in minor units of the debited account's currency. */
    debitAccountId: varchar("debit_account_id", {
      length: CORE_BANK_ID_CHARACTERS_MAX,
    }).$type<AccountId>(),
    debitCurrency: char("debit_currency", { length: 3 }).$type<Currency>(),
    debitMinor: bigint("debit_minor", { mode: "bigint" }),
    feeMinor: bigint("fee_minor", { mode: "bigint" }),
  },
  (row) => [
    index("payment_state_of_psu").on(row.psuId),
    check("payment_state_status", oneOf(row.status, Object.keys(transactionTransitions))),
    check("payment_state_reason", sql`(${row.status} = 'RJCT') = (${row.reason} is not null)`),
    check(
      "payment_state_authorised",
      sql`${row.status} in ('RCVD', 'RJCT') or (${row.psuId} is not null and ${row.authorisedAt} is not null and ${row.debitAccountId} is not null and ${row.debitCurrency} is not null and ${row.debitMinor} > 0 and ${row.feeMinor} >= 0)`,
    ),
  ],
);
