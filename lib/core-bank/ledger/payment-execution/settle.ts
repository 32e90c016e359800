import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { afterSettlement, type Step } from "@/lib/domain/payment/next-step";
import { clearingAccount } from "../clearing-accounts";
import type { LedgerTransaction } from "../database";
import { bookDebit } from "./book-debit";
import type { LedgerPayment } from "./claim-due-payment";
import { creditTransfer } from "./credit-transfer";
import { creditorAccount, isCreditable } from "./creditor-account";
import { returnTransfers } from "./debit-transfers";
import { enterTransfers } from "./enter-transfers";
import { lockAccounts } from "./lock-accounts";

/**
 * Books the debit. The creditor's account is credited when it is here; of another bank's, the clearing
 * account has the money from now on. What cannot be credited goes back at once, with the fee.
 */
export async function settle(
  tx: LedgerTransaction,
  payment: LedgerPayment,
  now: Date,
): Promise<Step> {
  const { accountId, debitCurrency } = payment;
  const creditor = await creditorAccount(tx, payment);
  const { id, currency } = creditor.account ?? { id: accountId, currency: debitCurrency };
  const clearing = {
    ofDebtor: await clearingAccount(tx, debitCurrency),
    ofCreditor: await clearingAccount(tx, currency),
  };
  const locked = await lockAccounts(tx, [accountId, id]);
  await bookDebit(tx, payment, now);

  const account = creditor.account && locked.get(id);
  const creditable = !creditor.isHere || isCreditable(account);
  const booked = { status: "booked", now } as const;
  if (!creditable) {
    const terms = { ...booked, clearingId: clearing.ofDebtor };
    await enterTransfers(tx, returnTransfers(payment), terms);
  } else if (account) {
    const terms = { ...booked, clearingId: clearing.ofCreditor };
    await enterTransfers(tx, [await creditTransfer(tx, payment, account)], terms);
  }
  return afterSettlement({ order: payment, creditable, now }, aspspProfile);
}
