import type { TppId } from "@/lib/domain/identifiers";
import { isTppId } from "@/lib/domain/tpp/tpp";
import { parseClientCert } from "./client-cert";
import { checkQwac, type Qwac } from "./qwac";
import type { TrustAnchors } from "./trust";
import { issuedCertificate, type Presented } from "./trusted-certificate";

/**
 * The TPP that the certificate of the connection names, if a trusted issuer has issued it: whom to look
 * up while nothing is judged yet. Whether the certificate counts is for `presentedQwac` to say.
 */
export function namedTpp(clientCert: string | undefined, anchors: TrustAnchors): TppId | undefined {
  const certificate =
    clientCert === undefined ? undefined : issuedCertificate(inHeader(clientCert), anchors, "web");
  const id = certificate?.organizationIdentifier;
  return id !== undefined && isTppId(id) ? id : undefined;
}

/**
 * The QWAC of the connection, from the header `Client-Cert` (RFC 9440) that the TLS listener or a
 * trusted proxy sets. Throws a Rejection CERTIFICATE_*.
 */
export function presentedQwac(
  clientCert: string | undefined,
  anchors: TrustAnchors,
  now: Date,
): Qwac {
  return checkQwac(clientCert === undefined ? undefined : inHeader(clientCert), anchors, now);
}

function inHeader(clientCert: string): Presented {
  return { text: clientCert, read };
}

/** A header that holds no certificate is a bad certificate, not a missing one. */
function read(clientCert: string): Uint8Array {
  return parseClientCert(clientCert) ?? NO_CERTIFICATE;
}

const NO_CERTIFICATE = new Uint8Array();
