import { decodeBase64 } from "./base64";
import { certificateLimits } from "./limits";

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
