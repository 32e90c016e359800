import { eq } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { afterFundsCheck, type Step } from "@/lib/domain/payment/next-step";
import { accountFunds } from "../../../../drizzle/schema/ledger/account-funds";
import { clearingAccount } from "../clearing-accounts";
import type { LedgerTransaction } from "../database";
import type { LedgerPayment } from "./claim-due-payment";
import { debitTransfers } from "./debit-transfers";
import { enterTransfers } from "./enter-transfers";
import { lockAccounts } from "./lock-accounts";

/** Amount and fee leave the debtor's account, pending, when they are there: all or nothing. */
export async function reserveFunds(
  tx: LedgerTransaction,
  payment: LedgerPayment,
  status: "ACCP" | "PDNG",
  now: Date,
): Promise<Step> {
  const clearingId = await clearingAccount(tx, payment.debitCurrency);
  const enough = await fundsAreThere(tx, payment);
  const { authorisedAt } = payment;
  const step = afterFundsCheck({ status, order: payment, enough, authorisedAt, now }, aspspProfile);
  if (step.to === "ACSP") {
    const transfers = debitTransfers(payment);
    await enterTransfers(tx, transfers, { clearingId, status: "pending", now });
  }
  return step;
}

/** Looked at under the account's lock, so that payments at once never pass the overdraft together. */
async function fundsAreThere(tx: LedgerTransaction, payment: LedgerPayment): Promise<boolean> {
  const { accountId } = payment;
  const account = (await lockAccounts(tx, [accountId])).get(accountId);
  return account?.status === "enabled" && (await coversDebit(tx, payment));
}

/** Whether amount and fee are there as of this statement. */
export async function coversDebit(
  tx: Pick<LedgerTransaction, "select">,
  { accountId, debitMinor, feeMinor }: Pick<LedgerPayment, "accountId" | "debitMinor" | "feeMinor">,
): Promise<boolean> {
  const [funds] = await tx
    .select({ availableMinor: accountFunds.availableMinor })
    .from(accountFunds)
    .where(eq(accountFunds.accountId, accountId));
  return funds !== undefined && funds.availableMinor >= debitMinor + feeMinor;
}
