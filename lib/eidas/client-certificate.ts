import { isTppId } from "@/lib/domain/tpp";
import type { TppId } from "@/lib/domain/values";
import { decodeBase64 } from "./asn1";
import { certificateLimits } from "./certificate-fault";
import { checkQwac, type Qwac } from "./qwac-qsealc";
import { type Checking, checkNotRevoked } from "./revocation";
import { issuedCertificate, type Presented, type TrustAnchors } from "./trust";

/**
 * The TPP that the certificate of the connection names, if a trusted issuer has issued it: the TPP to load
 * before the request is validated. Whether the certificate is valid is checked by `presentedQwac`.
 */
export function tppOfClientCert(
  clientCert: string | undefined,
  anchors: TrustAnchors,
): TppId | undefined {
  const certificate =
    clientCert === undefined
      ? undefined
      : issuedCertificate(qwacInHeader(clientCert), anchors, "web");
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
  return checkQwac(clientCert === undefined ? undefined : qwacInHeader(clientCert), anchors, now);
}

function qwacInHeader(clientCert: string): Presented {
  return { text: clientCert, read: readQwac };
}

/** A header that holds no certificate is a bad certificate, not a missing one. */
function readQwac(clientCert: string): Uint8Array {
  return parseClientCert(clientCert) ?? NO_CERTIFICATE;
}

const NO_CERTIFICATE = new Uint8Array();

/**
 * The client of the token endpoint. The scope of the token is not known yet; a TPP with the role PSP_PI
 * may be about to initiate a payment, so an unknown status refuses it in any mode. Rejects with 401 CERTIFICATE_*.
 */
export async function checkTokenClient(
  clientCert: string | undefined,
  checking: Checking,
  now: Date,
): Promise<Qwac> {
  const qwac = presentedQwac(clientCert, checking.trustAnchors, now);
  const hard = qwac.tpp.roles.includes("PSP_PI");
  await checkNotRevoked(checking, { certificate: qwac.certificate, hard, now });
  return qwac;
}

/** The value of an RFC 9440 `Client-Cert` header: a byte sequence of RFC 8941. */
export function formatClientCert(der: Uint8Array): string {
  return `:${Buffer.from(der).toString("base64")}:`;
}

/**
 * The DER of a `Client-Cert` header; `undefined` unless it is exactly one byte sequence without
 * parameters, so that two values joined with a comma are not taken for either of them.
 */
export function parseClientCert(value: string): Uint8Array | undefined {
  const base64 = /^:([A-Za-z0-9+/=]+):$/.exec(value)?.[1];
  const der = base64 === undefined ? undefined : decodeBase64(base64);
  return der !== undefined && der.byteLength <= certificateLimits.derBytesMax ? der : undefined;
}

const BEGIN = "-----BEGIN%20CERTIFICATE-----%0A";
const END = "%0A-----END%20CERTIFICATE-----%0A";
const LINE = /.{1,64}/g;

/**
 * The DER of a percent-encoded PEM, as nginx writes a client's certificate into a header
 * (`$ssl_client_escaped_cert`). `undefined` unless the text is letter for letter what nginx writes
 * for this DER: so it is one certificate, with nothing before, between or after it.
 */
export function parseEscapedPem(text: string): Uint8Array | undefined {
  const base64 = text
    .slice(BEGIN.length, -END.length)
    .replaceAll("%0A", "")
    .replaceAll("%2B", "+")
    .replaceAll("%2F", "/")
    .replaceAll("%3D", "=");
  const der = decodeBase64(base64);
  if (der === undefined || der.byteLength === 0) return undefined;
  if (der.byteLength > certificateLimits.derBytesMax) return undefined;
  return formatEscapedPem(der) === text ? der : undefined;
}

/** Base64 in lines of 64 characters (RFC 7468), and all of it escaped (RFC 3986). */
export function formatEscapedPem(der: Uint8Array): string {
  const lines = Buffer.from(der).toString("base64").match(LINE) ?? [];
  return BEGIN + encodeURIComponent(lines.join("\n")) + END;
}
