import type { GrantedAccount } from "../consent/account-consent";
import type { Ports } from "../ports";
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

/**
 * The account that this consent calls `resourceId`. Rejects with 404 RESOURCE_UNKNOWN when there is
 * none, or when it has been closed since: both look the same.
 */
export async function findGrantedAccount(
  ports: Pick<Ports, "accountSource">,
  { consent, accounts }: NamedConsent,
  resourceId: string,
): Promise<OpenAccount> {
  const granted = consent.grantedAccounts.find((account) => account.resourceId === resourceId);
  if (granted === undefined) throw reject("RESOURCE_UNKNOWN", ACCOUNT_UNKNOWN);
  const found = accounts ?? (await ports.accountSource.accounts([granted.accountId]));
  const account = found.find(({ id }) => id === granted.accountId);
  if (account === undefined || account.status === "deleted") {
    throw reject("RESOURCE_UNKNOWN", ACCOUNT_UNKNOWN);
  }
  return { granted, account };
}

/** Balances and transactions need their own right; a blocked account shows neither. */
export function checkRight({ granted, account }: OpenAccount, right: "balances" | "transactions") {
  if (!granted.rights[right]) {
    throw reject("CONSENT_INVALID", `the consent does not cover the ${right} of this account`);
  }
  if (account.status === "blocked") throw reject("SERVICE_BLOCKED", "this account is blocked");
}
