import type { BankAccount } from "@/lib/domain/account-access/bank-account";
import type { Money } from "@/lib/domain/money";
import type { Debit, PaymentOrder } from "@/lib/domain/payment/payment";
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
  now,
}: Visit): Promise<PaymentTerms | undefined> {
  const { id, psuId: customerId } = authorisation;
  const payment = await house.payments.findByAuthorisation(id);
  if (payment === undefined || customerId === undefined) return undefined;
  const { order } = payment;
  const quote = await house.coreBank.quotePayment({ customerId, order, now });
  if (quote === undefined) return undefined;
  const { account, debit, fee } = quote;
  return {
    order: { ...order, creditor: creditorOnPage(order.creditor, language) },
    account,
    debit,
    fee,
  };
}
