import type { AccountSource } from "@/lib/domain/account-access/account-source";
import { accounts, paymentAccountsOf } from "./accounts";
import { balances } from "./balances";
import type { LedgerReader } from "./database";
import { standingOrders } from "./standing-orders";
import { transaction, transactions } from "./transactions";

/** The embedded ledger as the core bank; each method is one statement, prepared once for a connection. */
export function accountSource(database: LedgerReader): AccountSource {
  return {
    paymentAccountsOf: paymentAccountsOf(database),
    accounts: accounts(database),
    balances: balances(database),
    transactions: transactions(database),
    transaction: transaction(database),
    standingOrders: standingOrders(database),
  };
}
