import type { AccountId, ConsentId, TppId } from "../identifiers";

/** What one call of a TPP was answered with. */
export const readKinds = [
  "accounts",
  "accounts-with-balances",
  "account-details",
  "account-details-with-balances",
  "balances",
  "transactions",
  "transaction",
  "funds-check",
] as const;
export type ReadKind = (typeof readKinds)[number];
export type AccountRead = Exclude<ReadKind, "funds-check">;

/** A read that was served, without anything of its content. A refused call is none. */
export type ServedRead = {
  readonly consentId: ConsentId;
  readonly tppId: TppId;
  readonly what: ReadKind;
  /** Absent where the list of accounts was read. */
  readonly accountId?: AccountId | undefined;
  readonly at: Date;
  /** The PSU caused it. A funds check is always unattended: the payee's side asks. */
  readonly attended: boolean;
};
