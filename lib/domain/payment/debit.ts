import type { BankAccount } from "../account-access/bank-account";
import type { AspspProfile } from "../aspsp-profile";
import { accountMeant } from "../consent/account-meant";
import type { Money } from "../money";
import type { Ports } from "../ports";
import type { Authorisation } from "../sca/authorisation";
import { convert } from "./exchange-rate";
import type { Debit, Payment, PaymentOrder } from "./payment";
import { termsOf } from "./payment-product";

type Debited = {
  readonly payment: Pick<Payment, "order">;
  readonly authorisation: Pick<Authorisation, "psuId">;
};

/** What would leave which of the PSU's own accounts; undefined when the debtor account is none of them. */
export async function debitOf(
  ports: Pick<Ports, "coreBank" | "profile">,
  { payment: { order }, authorisation: { psuId } }: Debited,
): Promise<Debit | undefined> {
  if (psuId === undefined) return undefined;
  const own = await ports.coreBank.accountsOf(psuId);
  const account = accountMeant(order.debtor, own, order.amount.currency);
  return account && debitFrom(account, order, ports.profile);
}

export function debitFrom(account: BankAccount, order: PaymentOrder, profile: AspspProfile): Debit {
  const { id: accountId, currency } = account;
  return {
    accountId,
    amount: convert(order.amount, currency, profile),
    fee: convert(feeOf(order, profile), currency, profile),
  };
}

/** In the tariff's currency. Whoever is paid bears the charges where the order says so. */
export function feeOf({ product, chargeBearer }: PaymentOrder, profile: AspspProfile): Money {
  const { fee } = termsOf(profile, product);
  return chargeBearer === "CRED" ? { ...fee, minorUnits: 0n } : fee;
}
