import type { Currency } from "@/lib/domain/money";
import { amountIn, isCredit } from "./amount";
import type { XmlElement } from "./xml-element";
import { all, find } from "./xml-path";

export function transactionsOf(entry: XmlElement): readonly XmlElement[] {
  return all(entry, "NtryDtls").flatMap((details) => all(details, "TxDtls"));
}

/**
 * The signed amounts of a batch's transactions, or undefined when one is not told in the account's
 * currency or they do not add up to the entry: what charges took, for instance, is in none of them.
 */
export function amountsOfTransactions(
  transactions: readonly XmlElement[],
  entryMinor: bigint,
  currency: Currency,
): readonly bigint[] | undefined {
  const amounts = transactions.flatMap((transaction) => {
    const amount = find(transaction, "Amt") ?? find(transaction, "AmtDtls", "TxAmt", "Amt");
    if (amount === undefined || amount.attributes["Ccy"] !== currency) return [];
    const minor = amountIn(currency, amount);
    const indicator = find(transaction, "CdtDbtInd");
    return (indicator ? isCredit(indicator) : entryMinor > 0n) ? minor : -minor;
  });
  const sum = amounts.reduce((total, amount) => total + amount, 0n);
  return amounts.length === transactions.length && sum === entryMinor ? amounts : undefined;
}
