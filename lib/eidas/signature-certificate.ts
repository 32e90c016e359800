import { decodeBase64 } from "./base64";
import { CertificateFault } from "./certificate-fault";

const PEM = /^-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----\s*$/;

/**
 * The DER in a TPP-Signature-Certificate header. The standard wants base64 of the DER; TPPs also
 * send the PEM on one line, its line breaks left out or turned into blanks, and base64 of a whole PEM.
 */
export function readSignatureCertificate(headerValue: string): Uint8Array {
  const der = fromPem(headerValue) ?? fromBase64(headerValue);
  if (der === undefined)
    throw new CertificateFault("signature certificate is not base64 of a certificate");
  return der;
}

function fromBase64(text: string): Uint8Array | undefined {
  const bytes = decodeBase64(text);
  return bytes && (fromPem(Buffer.from(bytes).toString("latin1")) ?? bytes);
}

function fromPem(text: string): Uint8Array | undefined {
  const base64 = PEM.exec(text)?.[1];
  return base64 === undefined ? undefined : decodeBase64(base64.replace(/\s/g, ""));
}
