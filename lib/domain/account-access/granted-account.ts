import type { GrantedAccount } from "../consent/account-consent";
import { reject } from "../rejection";
import type { NamedConsent } from "../tpp/arrival";
import type { AddressIgnored } from "./allowance";
import type { BankAccount } from "./bank-account";

export const ACCOUNT_UNKNOWN = "this account is not part of the consent";

/** What an access to account data starts from: an open consent, the instant, and who asked. */
export type Access = NamedConsent & {
  readonly now: Date;
  /** The PSU caused the call: it does not count against `frequencyPerDay`. */
  readonly attended: boolean;
  /** Set where the TPP has named an address of its PSU, and no PSU can have called from it. */
  readonly addressIgnored?: AddressIgnored;
};

/** An account of the consent as the bank has it now. */
export type OpenAccount = { readonly granted: GrantedAccount; readonly account: BankAccount };

/** The account that this consent calls `resourceId`. Rejects with 404 RESOURCE_UNKNOWN when there is none. */
export function findGrantedAccount({ consent }: NamedConsent, resourceId: string): GrantedAccount {
  const granted = consent.grantedAccounts.find((account) => account.resourceId === resourceId);
  if (granted === undefined) throw reject("RESOURCE_UNKNOWN", ACCOUNT_UNKNOWN);
  return granted;
}

/** Balances and transactions need their own right. Rejects with 401 CONSENT_INVALID. */
export function checkRight({ rights }: GrantedAccount, right: "balances" | "transactions"): void {
  if (rights[right]) return;
  throw reject("CONSENT_INVALID", `the consent does not cover the ${right} of this account`);
}

/**
 * With what the core bank has of it. Rejects with 404 RESOURCE_UNKNOWN when it has been closed since,
 * which looks like an account that was never granted.
 */
export function openAccount<Known extends Pick<OpenAccount, "account">>(
  granted: GrantedAccount,
  known: Known | undefined,
): Known & OpenAccount {
  if (known === undefined || known.account.status === "deleted") {
    throw reject("RESOURCE_UNKNOWN", ACCOUNT_UNKNOWN);
  }
  return { ...known, granted };
}

/** A blocked account shows neither balances nor transactions. */
export function checkUnblocked({ account }: OpenAccount): void {
  if (account.status === "blocked") throw reject("SERVICE_BLOCKED", "this account is blocked");
}
