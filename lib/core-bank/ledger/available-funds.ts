import { and, eq, sql } from "drizzle-orm";
import type { AvailableFunds } from "@/lib/domain/core-bank";
import { type AccountId, isUuid, type PsuId } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { accountFunds } from "../../../drizzle/schema/ledger/account-funds";
import { accountOwner } from "../../../drizzle/schema/ledger/account-owner";
import type { LedgerReader } from "./database";
import { isPaymentAccount } from "./payment-account";

/** Of an account of this customer. */
export function availableFunds(database: LedgerReader) {
  const { id, currency, status } = ledgerAccount;
  const statement = database
    .select({ currency, status, minorUnits: accountFunds.availableMinor })
    .from(ledgerAccount)
    .innerJoin(accountOwner, eq(accountOwner.accountId, id))
    .innerJoin(accountFunds, eq(accountFunds.accountId, id))
    .where(
      and(
        eq(id, sql.placeholder("accountId")),
        eq(accountOwner.customerId, sql.placeholder("customerId")),
        isPaymentAccount,
      ),
    )
    .prepare("available_funds");
  return async (accountId: AccountId, customerId: PsuId): Promise<AvailableFunds | undefined> => {
    if (!isUuid(accountId) || !isUuid(customerId)) return undefined;
    const [row] = await statement.execute({ accountId, customerId });
    if (row === undefined) return undefined;
    const { minorUnits, ...account } = row;
    return { ...account, available: { currency: account.currency, minorUnits } };
  };
}
