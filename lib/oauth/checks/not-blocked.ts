import { AuthorisationFault } from "../faults";

/**
 * A TPP that the bank has stopped starts no authorisation. Whoever opens a link sees this answer, so it
 * tells less than one to the TPP's own certificate.
 */
export function checkNotBlocked({ blocked }: { readonly blocked: boolean }): void {
  if (blocked) {
    throw new AuthorisationFault("unauthorized_client", "the bank does not serve this client now");
  }
}
