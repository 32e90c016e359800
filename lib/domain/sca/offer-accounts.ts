import type { BankAccount } from "../account-access/bank-account";
import type { AccessRequest, AccessRights, AccountReference } from "../consent/access-request";
import type { PsuId } from "../identifiers";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";

export type OfferedAccount = {
  readonly account: BankAccount;
  readonly preselected: boolean;
  readonly rights: AccessRights;
};

/**
 * The accounts a PSU may share: all own payment accounts, whatever the TPP asked for. Named ones
 * are preselected, or those the PSU has chosen already. Blocked accounts are offered too: they are
 * listed with their status, and only their content stays closed.
 */
export async function offerAccounts(
  ports: Pick<Ports, "coreBank" | "consents">,
  { authorisation, psuId }: { readonly authorisation: Authorisation; readonly psuId: PsuId },
): Promise<readonly OfferedAccount[]> {
  const consent = await ports.consents.findByAuthorisation(authorisation.id);
  if (consent === undefined) return [];
  const accounts = await ports.coreBank.accountsOf(psuId);
  return accounts.map((account) => ({
    account,
    preselected:
      authorisation.selection.length > 0
        ? authorisation.selection.includes(account.id)
        : namedIn(consent.access, account).length > 0,
    rights: rightsFor(consent.access, account),
  }));
}

/** A named account gets the rights asked for it, never more; an account the PSU adds gets the union. */
export function rightsFor(access: AccessRequest, account: BankAccount): AccessRights {
  const named = namedIn(access, account);
  return named.length === 0 ? access.rights : named.map(({ rights }) => rights).reduce(unite);
}

export function unite(one: AccessRights, other: AccessRights): AccessRights {
  return {
    balances: one.balances || other.balances,
    transactions: one.transactions || other.transactions,
    ownerName: one.ownerName || other.ownerName,
  };
}

function namedIn(access: AccessRequest, account: BankAccount) {
  return access.named.filter(({ reference }) => means(reference, account));
}

/** A reference without currency means every sub-account of its IBAN. */
function means(reference: AccountReference, account: BankAccount): boolean {
  const sameCurrency = reference.currency === undefined || reference.currency === account.currency;
  return reference.iban === account.iban && sameCurrency;
}
