import type { AccountSource } from "@/lib/domain/account-access/account-source";
import { accounts, paymentAccountsOf } from "./accounts";
import { balances } from "./balances";
import type { LedgerReader } from "./database";
import { standingOrders } from "./standing-orders";
import { transaction, transactions } from "./transactions";

/** The embedded ledger as the core bank; each method is one SQL query. */
export function accountSource(database: LedgerReader): AccountSource {
  return {
    paymentAccountsOf: (psuId) => paymentAccountsOf(database, psuId),
    accounts: (ids) => accounts(database, ids),
    balances: (ids, now) => balances(database, ids, now),
    transactions: (query) => transactions(database, query),
    transaction: (accountId, id) => transaction(database, accountId, id),
    standingOrders: (accountId) => standingOrders(database, accountId),
  };
}
