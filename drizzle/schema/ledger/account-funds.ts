import { bigint, pgView, uuid } from "drizzle-orm/pg-core";
import type { AccountId } from "../../../lib/domain/identifiers";

/**
 * What may leave an account now: balance plus overdraft less what is reserved, in minor units. The one
 * place that says so, for payments and for confirmations of funds. Its SQL is in a migration.
 */
export const accountFunds = pgView("account_funds", {
  accountId: uuid("account_id").$type<AccountId>().notNull(),
  availableMinor: bigint("available_minor", { mode: "bigint" }).notNull(),
}).existing();
