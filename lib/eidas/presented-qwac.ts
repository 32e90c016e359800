import { parseClientCert } from "./client-cert";
import { checkQwac, type Qwac } from "./qwac";
import type { TrustAnchors } from "./trust";

const NO_CERTIFICATE = new Uint8Array();

/**
 * The QWAC of the connection, from the header `Client-Cert` (RFC 9440) that the TLS listener or a
 * trusted proxy sets. A header that holds no certificate is a bad certificate, not a missing one.
 * Throws a Rejection CERTIFICATE_*.
 */
export function presentedQwac(
  clientCert: string | undefined,
  anchors: TrustAnchors,
  now: Date,
): Qwac {
  if (clientCert === undefined) return checkQwac(undefined, anchors, now);
  return checkQwac(parseClientCert(clientCert) ?? NO_CERTIFICATE, anchors, now);
}
