import type { AccountReads } from "@/lib/domain/core-bank";
import { accounts, accountsOf } from "./accounts";
import { availableFunds } from "./available-funds";
import { balances } from "./balances";
import type { LedgerReader } from "./database";
import { standingOrders } from "./standing-orders";
import { transaction, transactions } from "./transactions";

/** The embedded ledger as the core bank; each method is one statement, prepared once for a connection. */
export function ledger(database: LedgerReader): AccountReads {
  return {
    accountsOf: accountsOf(database),
    accounts: accounts(database),
    balances: balances(database),
    transactions: transactions(database),
    transaction: transaction(database),
    standingOrders: standingOrders(database),
    availableFunds: availableFunds(database),
  };
}
