import { type AspspProfile, aspspProfile } from "@/lib/domain/aspsp-profile";
import type { CoreBank } from "@/lib/domain/core-bank";
import { accounts, accountsOf } from "./accounts";
import { availableFunds } from "./available-funds";
import { balances } from "./balances";
import { corePayments } from "./core-payments";
import type { LedgerDatabase, LedgerReader } from "./database";
import { standingOrders } from "./standing-orders";
import { transaction, transactions } from "./transactions";

/** The embedded ledger as the core bank; each read of an account is one statement, prepared once for a connection. */
export function ledger(
  database: LedgerDatabase & LedgerReader,
  profile: AspspProfile = aspspProfile,
): CoreBank {
  return {
    accountsOf: accountsOf(database),
    accounts: accounts(database),
    balances: balances(database),
    transactions: transactions(database),
    transaction: transaction(database),
    standingOrders: standingOrders(database),
    availableFunds: availableFunds(database),
    ...corePayments(database, profile),
  };
}
