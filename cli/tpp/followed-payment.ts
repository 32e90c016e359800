import { setTimeout as pause } from "node:timers/promises";
import {
  granted,
  type PaymentStatus,
  transactionStatusMeanings,
  type Xs2a,
} from "@/clients/typescript/src";
import { printable } from "./table";

type Followed = {
  readonly product: string;
  readonly paymentId: string;
  readonly everyMilliseconds?: number;
  readonly told?: (line: string) => void;
};

/**
 * Tells each change of the status until there is none to come, and yields the last one. Without the
 * access token, which ends sooner than a payment that waits for funds.
 */
export async function followedPayment(
  bank: Pick<Xs2a, "paymentStatus">,
  { product, paymentId, everyMilliseconds = 1_000, told = console.log }: Followed,
): Promise<string> {
  for (let before: string | undefined; ; ) {
    const now = granted(await bank.paymentStatus({ product, paymentId }));
    if (now.transactionStatus !== before) told(inWords(now));
    before = now.transactionStatus;
    if (isLast(product, before)) return before;
    await pause(everyMilliseconds);
  }
}

/** Of an instant payment the creditor's bank tells the arrival; of others nobody tells more than ACSC. */
function isLast(product: string, status: string): boolean {
  if (status === "ACSC") return product !== "instant-sepa-credit-transfers";
  return ["ACCC", "RJCT", "CANC"].includes(status);
}

function inWords({ transactionStatus, fundsAvailable, psuMessage }: PaymentStatus): string {
  const funds = fundsAvailable === false ? ["no funds at present"] : [];
  const parts = [
    transactionStatusMeanings[transactionStatus] ?? [],
    funds,
    psuMessage ?? [],
  ].flat();
  return printable([transactionStatus, parts.join(": ")].filter(Boolean).join("  "));
}
