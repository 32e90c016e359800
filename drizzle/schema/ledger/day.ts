import { bigint, date, pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import type { AccountId } from "../../../lib/domain/identifiers";
import type { IsoDate } from "../../../lib/domain/iso-date";
import { ledgerAccount } from "./account";

/**
 * What the entries of one day add up to, for a balance as of a day: the account's sum less that of the
 * few days after it. Kept by a trigger like the sums of the account, and of no internal account either.
 */
export const ledgerDay = pgTable(
  "ledger_day",
  {
    accountId: uuid("account_id")
      .$type<AccountId>()
      .notNull()
      .references(() => ledgerAccount.id),
    day: date("day", { mode: "string" }).$type<IsoDate>().notNull(),
    /** Booked on this day. */
    bookedMinor: bigint("booked_minor", { mode: "bigint" }).notNull(),
    /** Pending, with this day as value date. */
    pendingMinor: bigint("pending_minor", { mode: "bigint" }).notNull(),
  },
  (row) => [primaryKey({ columns: [row.accountId, row.day] })],
);
