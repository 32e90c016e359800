import type { BankAccount } from "../account-access/bank-account";
import type { Currency } from "../money";
import type { AccountReference } from "./access-request";

/**
 * The one account that a reference means where only one can be meant: the sub-account of the
 * currency it names; without one that of the preferred currency, else the default sub-account.
 */
export function accountMeant(
  { iban, currency }: AccountReference,
  accounts: readonly BankAccount[],
  preferred?: Currency,
): BankAccount | undefined {
  const subAccounts = accounts.filter((account) => account.iban === iban);
  const having = (wanted: Currency | undefined) =>
    subAccounts.find((account) => account.currency === wanted);
  if (currency !== undefined) return having(currency);
  return having(preferred) ?? subAccounts.find(({ isDefault }) => isDefault);
}
