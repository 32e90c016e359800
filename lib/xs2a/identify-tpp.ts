import { presentedQwac } from "@/lib/eidas/presented-qwac";
import type { Qwac } from "@/lib/eidas/qwac";
import type { TrustAnchors } from "@/lib/eidas/trust";

/**
 * The TPP by the certificate of its TLS connection. The listener puts it into `Client-Cert`
 * (RFC 9440) and strips whatever a caller sends under that name. Rejects with 401 CERTIFICATE_*.
 */
export function identifyTpp(headers: Headers, anchors: TrustAnchors, now: Date): Qwac {
  return presentedQwac(headers.get("client-cert") ?? undefined, anchors, now);
}
