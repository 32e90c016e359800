import { z } from "zod";
import { formatAmount, type Money } from "@/lib/domain/money";

export const amountSent = z
  .strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/),
    amount: z.string().regex(/^-?\d{1,14}\.\d{2}$/),
  })
  .meta({ id: "Amount", description: "Money: a text with two digits after the dot." });

export function toAmount({ currency, minorUnits }: Money) {
  return { currency, amount: formatAmount(minorUnits) };
}
