import type { BankAccount } from "@/lib/domain/account-access/bank-account";
import type { Money } from "@/lib/domain/money";
import { debitFrom, feeOf } from "@/lib/domain/payment/debit";
import type { Debit, PaymentOrder } from "@/lib/domain/payment/payment";
import { fixedAccount } from "@/lib/domain/sca/begin-challenge";
import { creditorOnPage } from "./names-on-pages";
import type { Visit } from "./visit";

/** What the PSU is about to pay, read from the rows that the code is bound to (RTS art. 5(1)(a)). */
export type PaymentTerms = {
  readonly order: PaymentOrder;
  readonly account: BankAccount;
  /** In the account's currency. */
  readonly debit: Debit;
  /** In the tariff's currency. */
  readonly fee: Money;
};

/** Undefined when the debtor account is none of the PSU's any more. */
export async function paymentTerms({
  house,
  authorisation,
  language,
}: Visit): Promise<PaymentTerms | undefined> {
  const payment = await house.payments.findByAuthorisation(authorisation.id);
  const account = await fixedAccount(house, authorisation);
  if (payment === undefined || account === undefined) return undefined;
  const creditor = creditorOnPage(payment.order.creditor, language);
  const order = { ...payment.order, creditor };
  const { profile } = house;
  return { order, account, debit: debitFrom(account, order, profile), fee: feeOf(order, profile) };
}
