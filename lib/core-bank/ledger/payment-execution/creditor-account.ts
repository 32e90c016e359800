import { eq } from "drizzle-orm";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountId } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { hasRate } from "@/lib/domain/payment/exchange-rate";
import { ledgerAccount } from "../../../../drizzle/schema/ledger/account";
import type { LedgerTransaction } from "../database";
import type { LedgerPayment } from "./claim-due-payment";
import type { LockedAccount } from "./lock-accounts";
import { isOwnIban } from "./own-iban";

/** Whether the money stays at this bank; without an account when there is none to take it. */
export type CreditorAccount = {
  readonly isHere: boolean;
  readonly account?: { readonly id: AccountId; readonly currency: Currency };
};

const { id, currency, isDefault } = ledgerAccount;

/**
 * The sub-account of the currency that the order names for the creditor, else of the amount's currency,
 * else the default one. An IBAN of this bank without an account is nobody else's: it is not sent out.
 */
export async function creditorAccount(
  tx: LedgerTransaction,
  { creditorIban, creditorCurrency, currency: sent }: LedgerPayment,
): Promise<CreditorAccount> {
  const accounts = await tx
    .select({ id, currency, isDefault })
    .from(ledgerAccount)
    .where(eq(ledgerAccount.iban, creditorIban));
  const wanted = creditorCurrency ?? sent;
  const account =
    accounts.find((subAccount) => subAccount.currency === wanted) ??
    accounts.find((subAccount) => subAccount.isDefault);
  const isHere = accounts.length > 0 || isOwnIban(creditorIban);
  return account === undefined ? { isHere } : { isHere, account };
}

/** Savings accounts take money too; loans, blocked and closed accounts take none. */
export function isCreditable(account: LockedAccount | undefined): account is LockedAccount {
  if (account === undefined || account.status !== "enabled") return false;
  const takesMoney = account.kind === "current" || account.kind === "savings";
  return takesMoney && hasRate(account.currency, aspspProfile);
}
