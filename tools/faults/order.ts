import { randomInt, randomUUID } from "node:crypto";
import type { Currency, Customer } from "./customers";
import type { Asked } from "./journal";

/** A payment as a TPP sends it, and as it might send it again by mistake. */
export type Order = Asked & {
  readonly currency: Currency;
  readonly path: string;
  readonly bodies: readonly Uint8Array[];
};

export const PISP = "/open-banking/v3.1/pisp/v1";
/** Both without a fee, so that a debit is the amount and nothing else. */
const PRODUCTS = {
  EUR: "sepa-credit-transfers",
  RON: "instant-sepa-credit-transfers",
} as const satisfies Readonly<Record<Currency, string>>;
const MOST_MINOR = 100;
/** An account of no customer here. */
const ELSEWHERE = "RO49AAAA1B31007593840000";

/** Some units from the payer to another customer or out of the bank. */
export function newOrder(payer: Customer, others: readonly Customer[]): Order {
  const requestId = randomUUID();
  const currency = pick(["EUR", "RON"] as const);
  const creditors = [ELSEWHERE, ...others.map(({ accounts }) => accounts[currency])];
  const common = {
    debtorAccount: { iban: payer.accounts[currency] },
    creditorAccount: { iban: pick(creditors) },
    creditorName: "Somebody Else",
    remittanceInformationUnstructured: requestId,
  };
  const amount = randomInt(1, MOST_MINOR);
  const amounts = [amount, amount + MOST_MINOR].map((minor) => BigInt(minor));
  const bodies = amounts.map((minor) => {
    const instructedAmount = { currency, amount: inUnits(minor) };
    return Buffer.from(JSON.stringify({ instructedAmount, ...common }));
  });
  const path = `${PISP}/payments/${PRODUCTS[currency]}`;
  return { requestId, currency, amounts, bodies, path };
}

function inUnits(minor: bigint): string {
  return `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`;
}

export function pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
  return items[randomInt(items.length)] as Item;
}
