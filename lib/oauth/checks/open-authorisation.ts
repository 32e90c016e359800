import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { isDecided } from "@/lib/domain/sca/sca-status";
import { AuthorisationFault } from "../faults";

/**
 * The scope must name one resource of this TPP that waits for its PSU. Malformed, unknown, another
 * TPP's, decided and run out are one and the same answer, so that nobody learns what exists.
 */
export function checkOpenAuthorisation(authorisation: Authorisation | undefined): Authorisation {
  if (authorisation === undefined || isDecided(authorisation.scaStatus)) {
    throw new AuthorisationFault(
      "invalid_scope",
      "scope must name one resource of this client that waits for authorisation",
    );
  }
  return authorisation;
}
