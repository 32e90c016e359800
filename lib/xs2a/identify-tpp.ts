import { parseClientCert } from "@/lib/eidas/client-cert";
import { checkQwac, type Qwac } from "@/lib/eidas/qwac";
import type { TrustAnchors } from "@/lib/eidas/trust";

/**
 * The TPP by the certificate of its TLS connection. The listener puts it into `Client-Cert`
 * (RFC 9440) and strips whatever a caller sends under that name. Rejects with 401 CERTIFICATE_*.
 */
export function identifyTpp(headers: Headers, anchors: TrustAnchors, now: Date): Qwac {
  const header = headers.get("client-cert");
  return checkQwac(header === null ? undefined : parseClientCert(header), anchors, now);
}
