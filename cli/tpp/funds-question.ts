import type { FundsQuestion } from "@/clients/typescript/src";
import { demoDebtor } from "./demo-debtor";
import { WrongUsage } from "./wrong-usage";

/** The options of a question about funds, for parseArgs. */
export const fundsOptions = {
  amount: { type: "string" },
  currency: { type: "string" },
  iban: { type: "string" },
  card: { type: "string" },
} as const;

type Values = Readonly<Partial<Record<keyof typeof fundsOptions, string>>>;

/**
 * As it is typed. What is no amount is refused here: the bank would say so only once the PSU has
 * authorised the consent. Throws WrongUsage.
 */
export function fundsQuestion({ amount, currency, iban, card }: Values): FundsQuestion {
  if (amount === undefined || currency === undefined) {
    throw new WrongUsage("funds needs --amount and --currency");
  }
  if (!/^\d{1,14}(\.\d{1,2})?$/.test(amount)) {
    throw new WrongUsage(`--amount ${amount} is not an amount, such as 100 or 12.50`);
  }
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new WrongUsage(`--currency ${currency} is not three capital letters, such as RON`);
  }
  return {
    account: { iban: iban ?? demoDebtor(currency) },
    instructedAmount: { currency, amount },
    ...(card !== undefined && { cardNumber: card }),
  };
}
