import { z } from "zod";
import type { Balance } from "@/lib/domain/account-access/bank-account";
import { amountSent, toAmount } from "./amount";

/** The three types of this bank; the standard's others are not provided. */
export const balanceSent = z
  .discriminatedUnion("balanceType", [
    z.strictObject({
      balanceAmount: amountSent,
      balanceType: z.enum(["closingBooked", "forwardAvailable"]),
      referenceDate: z.iso.date(),
    }),
    z.strictObject({
      balanceAmount: amountSent,
      balanceType: z.literal("expected"),
      lastChangeDateTime: z.iso.datetime().optional(),
    }),
  ])
  .meta({ id: "Balance", description: "A balance, of a day or as it is now." });

export function toBalance(balance: Balance) {
  const { type: balanceType, amount } = balance;
  const balanceAmount = toAmount(amount);
  return balance.type === "expected"
    ? { balanceAmount, balanceType, lastChangeDateTime: balance.lastChangeAt?.toISOString() }
    : { balanceAmount, balanceType, referenceDate: balance.referenceDate };
}
