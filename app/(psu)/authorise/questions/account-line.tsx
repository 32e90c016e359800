import { AccountText } from "@/components/account-text";
import type { BankAccount } from "@/lib/domain/account-access/bank-account";

type Props = { readonly account: Pick<BankAccount, "name" | "iban" | "currency"> };

export function AccountLine({ account: { name, iban, currency } }: Props) {
  return <AccountText name={name} iban={iban} currency={currency} />;
}
