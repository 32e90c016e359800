import { IbanText } from "@/components/iban-text";
import type { BankAccount } from "@/lib/domain/account-access/bank-account";

/** Name, IBAN and currency, which together name one (sub-)account. */
export function AccountLine({
  account,
}: {
  readonly account: Pick<BankAccount, "name" | "iban" | "currency">;
}) {
  return (
    <>
      <span className="account-name">{account.name}</span> <IbanText iban={account.iban} />{" "}
      <span className="currency">{account.currency}</span>
    </>
  );
}
