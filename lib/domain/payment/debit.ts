import type { BankAccount } from "../account-access/bank-account";
import type { AspspProfile } from "../aspsp-profile";
import type { Money } from "../money";
import { convert } from "./exchange-rate";
import type { Debit, PaymentOrder } from "./payment";
import { termsOf } from "./payment-product";

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
