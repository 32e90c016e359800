import { and, asc, eq, sql } from "drizzle-orm";
import type { StandingOrder } from "@/lib/domain/account-access/bank-account";
import { type AccountId, isUuid } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { standingOrder } from "../../../drizzle/schema/ledger/standing-order";
import { counterpartyOf } from "./counterparty";
import type { LedgerReader } from "./database";
import { isPaymentAccount } from "./payment-account";
import { withoutNulls } from "./without-nulls";

/** By day of execution, those without one last. */
export function standingOrders(database: LedgerReader) {
  const statement = database
    .select({ order: standingOrder, currency: ledgerAccount.currency })
    .from(standingOrder)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, standingOrder.accountId))
    .where(and(eq(standingOrder.accountId, sql.placeholder("accountId")), isPaymentAccount))
    .orderBy(asc(standingOrder.dayOfExecution), asc(standingOrder.id))
    .prepare("standing_orders");
  return async (accountId: AccountId): Promise<readonly StandingOrder[]> => {
    if (!isUuid(accountId)) return [];
    return (await statement.execute({ accountId })).map(toStandingOrder);
  };
}

type Row = {
  readonly order: typeof standingOrder.$inferSelect;
  readonly currency: StandingOrder["amount"]["currency"];
};

function toStandingOrder({ order, currency }: Row): StandingOrder {
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
