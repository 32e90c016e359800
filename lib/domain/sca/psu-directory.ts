import type { PsuId } from "../identifiers";

export type Psu = { readonly id: PsuId; readonly userId: string; readonly name: string };

/** The bank's customers, as far as an authorisation needs them. */
export type PsuDirectory = {
  /** The PSU, or undefined; takes as long for an unknown user ID as for a wrong password. */
  readonly verifyPassword: (userId: string, password: string) => Promise<Psu | undefined>;
  /** Tells whether a user ID exists: nothing that anybody waits for may depend on it. */
  readonly findByUserId: (userId: string) => Promise<Psu | undefined>;
  readonly find: (id: PsuId) => Promise<Psu | undefined>;
};
