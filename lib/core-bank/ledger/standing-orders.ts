import { asc, eq, sql } from "drizzle-orm";
import type { StandingOrder } from "@/lib/domain/account-access/bank-account";
import type { CoreBank } from "@/lib/domain/core-bank";
import { isUuid } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { standingOrder } from "../../../drizzle/schema/ledger/standing-order";
import { accountsColumn, oneRow } from "./accounts-shown";
import { counterpartyOf } from "./counterparty";
import type { LedgerReader } from "./database";
import { withoutNulls } from "./without-nulls";

/** By day of execution, those without one last; the account comes with each of them, and without any. */
export function standingOrders(database: LedgerReader): CoreBank["standingOrders"] {
  const account = sql.placeholder("accountId");
  const statement = database
    .select({ list: accountsColumn(eq(ledgerAccount.id, account)), order: standingOrder })
    .from(oneRow)
    .leftJoin(standingOrder, eq(standingOrder.accountId, account))
    .orderBy(asc(standingOrder.dayOfExecution), asc(standingOrder.id))
    .prepare("standing_orders");
  return async (accountId) => {
    if (!isUuid(accountId)) return undefined;
    const rows = await statement.execute({ accountId });
    const found = rows[0]?.list[0];
    if (found === undefined) return undefined;
    const orders = rows.flatMap(({ order }) => (order === null ? [] : [order]));
    return {
      account: found,
      standingOrders: orders.map((order) => toStandingOrder(order, found.currency)),
    };
  };
}

function toStandingOrder(
  order: typeof standingOrder.$inferSelect,
  currency: Currency,
): StandingOrder {
  return {
    id: order.id,
    amount: { currency, minorUnits: order.amountMinor },
    counterparty: counterpartyOf(order),
    startDate: order.startOn,
    frequency: order.frequency,
    ...withoutNulls({
      remittance: order.remittance,
      endDate: order.endOn,
      dayOfExecution: order.dayOfExecution === null ? null : String(order.dayOfExecution),
    }),
  };
}
