import { decodeBase64 } from "./base64";
import { CertificateFault } from "./certificate-fault";

const PEM = /^-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----\s*$/;

/**
 * The DER in a TPP-Signature-Certificate header. The standard wants base64 of the DER; TPPs also
 * send the PEM on one line and base64 of a whole PEM, line breaks left out or turned into blanks.
 */
export function readSignatureCertificate(headerValue: string): Uint8Array {
  const bytes = fromPem(headerValue) ?? decodeBase64(headerValue.replaceAll(" ", ""));
  const text = bytes && textIn(bytes);
  const der = text === undefined ? bytes : fromPem(text);
  if (der === undefined || der.byteLength === 0) {
    const because = seemsToBe(text ?? headerValue);
    throw new CertificateFault(`signature certificate is not base64 of a certificate${because}`);
  }
  return der;
}

/** What was encoded where it is text of several lines, or one that begins as a PEM does. */
function textIn(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString("latin1");
  return text.includes("-----BEGIN ") ? text : undefined;
}

function fromPem(text: string): Uint8Array | undefined {
  const base64 = PEM.exec(text)?.[1];
  return base64 === undefined ? undefined : decodeBase64(base64.replace(/\s/g, ""));
}

/** What TPPs send by mistake, as far as the letters tell. */
function seemsToBe(text: string): string {
  if (text.trim() === "") return ": it is empty";
  if (text.includes("PRIVATE KEY-")) return ": it is a private key; replace that key";
  if (text.split("-BEGIN CERTIFICATE-").length > 2) return ": it is more than one";
  if (/%[0-9a-f]{2}/i.test(text)) return ": it is percent-encoded";
  if (text.includes("\\n")) return ": it has \\n in place of line breaks; leave them out";
  if (/^-----BEGIN (?!CERTIFICATE-)/.test(text)) return ": it is a PEM of something else";
  if (/\S\s*-----BEGIN/.test(text)) return ": it has a text before its PEM";
  if (/-----(?:BEGIN|END)/.test(text)) return ": it is a PEM that is not whole";
  if (/^:.*:$/.test(text)) return ": it is in colons, which RFC 9440 has and this header has not";
  if (/^".*"$/.test(text)) return ": it is in quotation marks";
  if (/^[\w+/-]+=*$/.test(text)) return ": it is base64url or lacks its padding";
  return "";
}
