import { createHash, type KeyObject, verify, X509Certificate } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

const keys = new Map<string, KeyObject>();

/** Whether the request was signed over these very bytes: the digest, and the RSA signature. */
export function isSealed(headers: IncomingHttpHeaders, body: Uint8Array): boolean {
  const digest = createHash("sha256").update(body).digest("base64");
  if (headers["digest"] !== `SHA-256=${digest}`) return false;
  const [signature, certificate] = [headers["signature"], headers["tpp-signature-certificate"]];
  if (typeof signature !== "string" || typeof certificate !== "string") return false;
  const [, names, value] = /headers="([^"]*)",signature="([^"]*)"/.exec(signature) ?? [];
  if (names === undefined || value === undefined) return false;
  const signed = names
    .split(" ")
    .map((name) => `${name}: ${headers[name]}`)
    .join("\n");
  return verify("sha256", Buffer.from(signed), keyOf(certificate), Buffer.from(value, "base64"));
}

/** Read once for each certificate. */
function keyOf(certificate: string): KeyObject {
  const known = keys.get(certificate);
  if (known !== undefined) return known;
  const { publicKey } = new X509Certificate(Buffer.from(certificate, "base64"));
  keys.set(certificate, publicKey);
  return publicKey;
}
