import { eq } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { afterFundsCheck, type Step } from "@/lib/domain/payment/next-step";
import { accountFunds } from "../../../../drizzle/schema/ledger/account-funds";
import { clearingAccount } from "../clearing-accounts";
import type { LedgerTransaction } from "../database";
import type { DuePayment } from "./claim-due-payment";
import { debitTransfers } from "./debit-transfers";
import { enterTransfers } from "./enter-transfers";
import { lockAccounts } from "./lock-accounts";

/** Amount and fee leave the debtor's account, pending, when they are there: all or nothing. */
export async function reserveFunds(
  tx: LedgerTransaction,
  payment: DuePayment,
  status: "ACCP" | "PDNG",
  now: Date,
): Promise<Step> {
  const clearingId = await clearingAccount(tx, payment.debit.amount.currency);
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
async function fundsAreThere(
  tx: LedgerTransaction,
  { debit: { accountId, amount, fee } }: DuePayment,
): Promise<boolean> {
  const account = (await lockAccounts(tx, [accountId])).get(accountId);
  if (account?.status !== "enabled") return false;
  const [funds] = await tx
    .select({ availableMinor: accountFunds.availableMinor })
    .from(accountFunds)
    .where(eq(accountFunds.accountId, accountId));
  return funds !== undefined && funds.availableMinor >= amount.minorUnits + fee.minorUnits;
}
