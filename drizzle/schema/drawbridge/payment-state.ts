import { sql } from "drizzle-orm";
import { bigint, boolean, check, date, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { AccountId, PaymentId, PsuId } from "../../../lib/domain/identifiers";
import type { IsoDate } from "../../../lib/domain/iso-date";
import type { PaymentRejection } from "../../../lib/domain/payment/payment";
import {
  type TransactionStatus,
  transactionTransitions,
} from "../../../lib/domain/payment/transaction-status";
import { instant, oneOf } from "../columns";
import { ledgerAccount } from "../ledger/account";
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
    debitAccountId: uuid("debit_account_id")
      .$type<AccountId>()
      .references(() => ledgerAccount.id),
    debitMinor: bigint("debit_minor", { mode: "bigint" }),
    feeMinor: bigint("fee_minor", { mode: "bigint" }),
    /** What it takes of the PSU's limit of which day; given back when it is rejected after all. */
    limitDay: date("limit_day", { mode: "string" }).$type<IsoDate>(),
    limitMinor: bigint("limit_minor", { mode: "bigint" }),
    /** When the next step of its execution is due; null while nothing is. */
    dueAt: instant("due_at"),
  },
  (row) => [
    index("payment_state_due").on(row.dueAt).where(sql`${row.dueAt} is not null`),
    index("payment_state_of_psu").on(row.psuId),
    check("payment_state_status", oneOf(row.status, Object.keys(transactionTransitions))),
    check("payment_state_reason", sql`(${row.status} = 'RJCT') = (${row.reason} is not null)`),
    check(
      "payment_state_authorised",
      sql`${row.status} in ('RCVD', 'RJCT') or (${row.psuId} is not null and ${row.authorisedAt} is not null and ${row.debitAccountId} is not null and ${row.debitMinor} > 0 and ${row.feeMinor} >= 0)`,
    ),
  ],
);
