import { formatAmount } from "@/lib/domain/money";
import type { OpeningAndClosing } from "./read-balances";
import type { ReadEntry } from "./read-entry";
import { refuse } from "./statement-error";

/** Opening balance and booked entries make the closing balance, or something is missing. */
export function checkTotals(
  { opening, closing }: OpeningAndClosing,
  entries: readonly ReadEntry[],
): void {
  const booked = entries.filter(({ status }) => status === "booked");
  const sum = booked.reduce((total, { amountMinor }) => total + amountMinor, opening.amountMinor);
  if (sum === closing.amountMinor) return;
  refuse(
    closing.place,
    `opening balance and booked entries make ${formatAmount(sum)}, the closing balance is ${formatAmount(closing.amountMinor)}`,
  );
}
