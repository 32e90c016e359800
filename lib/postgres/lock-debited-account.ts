import { and, eq, ne } from "drizzle-orm";
import { accountOwner, ledgerAccount } from "@/drizzle/schema/ledger";
import type { PaymentOrder } from "@/lib/domain/payment/payment";
import type { PaymentDecision } from "@/lib/domain/sca/authorisation-store";
import type { Transaction } from "./atomically";

type Debited = { readonly blocked: boolean };

/**
 * Undefined unless it is an open payment account of this PSU and the one that the order names. Both rows
 * are locked: a change that is under way is waited for, and what it leaves is what counts.
 */
export async function lockDebitedAccount(
  tx: Transaction,
  { debtor }: Pick<PaymentOrder, "debtor">,
  { psuId, debit }: Pick<PaymentDecision, "psuId" | "debit">,
): Promise<Debited | undefined> {
  const [account] = await tx
    .select({ status: ledgerAccount.status })
    .from(ledgerAccount)
    .innerJoin(accountOwner, eq(accountOwner.accountId, ledgerAccount.id))
    .where(
      and(
        eq(ledgerAccount.id, debit.accountId),
        eq(ledgerAccount.iban, debtor.iban),
        eq(ledgerAccount.currency, debit.amount.currency),
        eq(ledgerAccount.kind, "current"),
        ne(ledgerAccount.status, "deleted"),
        eq(accountOwner.customerId, psuId),
      ),
    )
    .for("no key update");
  return account && { blocked: account.status === "blocked" };
}
