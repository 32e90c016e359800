import { and, eq, ne } from "drizzle-orm";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";

/**
 * What this interface may show at all: payment accounts (PSD2 art. 4(12)) that are open. Savings,
 * loans, the bank's own accounts and closed ones are as good as unknown.
 */
export const isPaymentAccount = and(
  eq(ledgerAccount.kind, "current"),
  ne(ledgerAccount.status, "deleted"),
);
