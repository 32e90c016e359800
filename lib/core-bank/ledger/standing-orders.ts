import { and, asc, eq } from "drizzle-orm";
import type { StandingOrder } from "@/lib/domain/account-access/bank-account";
import { type AccountId, isUuid } from "@/lib/domain/identifiers";
import { ledgerAccount } from "../../../drizzle/schema/ledger-account";
import { standingOrder } from "../../../drizzle/schema/ledger-standing-order";
import { counterpartyOf } from "./counterparty";
import type { LedgerReader } from "./database";
import { isPaymentAccount } from "./payment-account";
import { withoutNulls } from "./without-nulls";

/** By day of execution, those without one last. */
export async function standingOrders(
  database: LedgerReader,
  accountId: AccountId,
): Promise<readonly StandingOrder[]> {
  if (!isUuid(accountId)) return [];
  const rows = await database
    .select({ order: standingOrder, currency: ledgerAccount.currency })
    .from(standingOrder)
    .innerJoin(ledgerAccount, eq(ledgerAccount.id, standingOrder.accountId))
    .where(and(eq(standingOrder.accountId, accountId), isPaymentAccount))
    .orderBy(asc(standingOrder.dayOfExecution), asc(standingOrder.id));
  return rows.map(({ order, currency }) => ({
    id: order.id,
    amount: { currency: currency, minorUnits: order.amountMinor },
    counterparty: counterpartyOf(order),
    startDate: order.startOn,
    frequency: order.frequency,
    ...withoutNulls({
      remittance: order.remittance,
      endDate: order.endOn,
      dayOfExecution: order.dayOfExecution === null ? null : String(order.dayOfExecution),
    }),
  }));
}
