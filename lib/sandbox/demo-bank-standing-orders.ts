import { randomUUID } from "node:crypto";
import type { NewStandingOrder } from "@/lib/core-bank/ledger/enter-books";
import type { TransactionId } from "@/lib/domain/identifiers";
import { addDays, type IsoDate } from "@/lib/domain/iso-date";
import type { AccountIds } from "./demo-bank-accounts";
import { DAYS_OF_HISTORY, minor } from "./demo-bank-movement";
import { holderOf, type Party, parties } from "./demo-bank-parties";

type Order = readonly [day: number, amount: string, party: Party, remittance: string];

/** Ana's; their executions are among the entries of her current account. */
const orders: readonly Order[] = [
  [1, "-2350.00", parties.landlord, "Rent"],
  [12, "-500.00", holderOf("anaSavings"), "Rainy days"],
  [15, "-900.00", holderOf("joint"), "Household"],
];

export function standingOrderRows(ids: AccountIds, today: IsoDate): readonly NewStandingOrder[] {
  return orders.map(([dayOfExecution, amount, party, remittance]) => ({
    id: randomUUID() as string as TransactionId,
    accountId: ids.anaCurrent,
    amountMinor: minor(amount),
    counterpartyName: party.name,
    counterpartyIban: party.iban,
    counterpartyBic: party.bic,
    remittance,
    startOn: addDays(today, -DAYS_OF_HISTORY),
    frequency: "Monthly",
    dayOfExecution,
  }));
}
