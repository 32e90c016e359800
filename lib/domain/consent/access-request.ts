import type { Iban } from "../iban";
import type { Currency } from "../money";

/** How a TPP names an account. Without a currency it means every sub-account of the IBAN. */
export type AccountReference = { readonly iban: Iban; readonly currency?: Currency };

/** What may be read of one account beyond that it is there. */
export type AccessRights = {
  readonly balances: boolean;
  readonly transactions: boolean;
  readonly ownerName: boolean;
};

/** An account the TPP named, with the rights it asked for this account. */
export type NamedAccount = { readonly reference: AccountReference; readonly rights: AccessRights };

/**
 * What was asked, whichever of the three models asked it. The PSU always chooses the accounts
 * (the effective flow is the bank offered one): a named account gets the rights asked for it, an
 * account the PSU adds gets `rights`, which is the union of all that was asked.
 */
export type AccessRequest = {
  readonly model: "dedicated" | "bankOffered" | "global";
  readonly rights: AccessRights;
  readonly named: readonly NamedAccount[];
};
