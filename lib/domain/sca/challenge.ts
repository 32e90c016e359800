import type { AccountId, AuthorisationId } from "../identifiers";

type Bound = {
  readonly authorisationId: AuthorisationId;
  readonly resourceId: string;
  readonly selection: readonly AccountId[];
};

/**
 * The text whose keyed fingerprint is kept for a code: what is authorised, then the code. A code
 * sent for one selection of accounts says nothing about another (RTS art. 5(1) for payments; the
 * same care costs nothing here). The order in which accounts were ticked does not matter.
 */
export function challengeText({ authorisationId, resourceId, selection }: Bound, code: string) {
  return [authorisationId, resourceId, ...selection.toSorted(), code].join("\n");
}
