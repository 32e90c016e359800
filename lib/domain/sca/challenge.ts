import type { AuthorisationId } from "../identifiers";

type Bound = {
  readonly authorisationId: AuthorisationId;
  readonly resourceId: string;
  /** What the code stands for; see `Subject`. */
  readonly linked: string;
};

/**
 * The text whose keyed fingerprint is kept for a code: what is authorised, then the code. A code sent
 * for one thing says nothing about another (RTS art. 5(1) for payments; the same care for consents
 * costs nothing).
 */
export function challengeText({ authorisationId, resourceId, linked }: Bound, code: string) {
  return [authorisationId, resourceId, linked, code].join("\n");
}
