import { createHash, timingSafeEqual } from "node:crypto";
import { signatureInvalid } from "./signature-invalid";

const HASHES: Readonly<Record<string, "sha256" | "sha512">> = {
  "sha-256": "sha256",
  "sha-512": "sha512",
};
const ENTRY = /^([A-Za-z0-9-]+)=([A-Za-z0-9+/]+={0,2})$/;

/**
 * The digest is over the raw bytes as they came, for a request without a body over none. Every
 * digest given has to be one we know and has to match: an unknown one beside a right one could be
 * the one somebody else relies on. Rejects with 401 SIGNATURE_INVALID.
 */
export function checkDigest(header: string | null, body: Uint8Array): void {
  if (header === null) throw invalid("Digest is missing");
  for (const entry of header.split(",")) {
    const [, name, value] = ENTRY.exec(entry.trim()) ?? [];
    const hash = name === undefined ? undefined : HASHES[name.toLowerCase()];
    if (name === undefined || value === undefined) throw invalid("Digest is not ALGORITHM=base64");
    if (hash === undefined) throw invalid(`Digest is SHA-256 or SHA-512, not ${name}`);
    const expected = createHash(hash).update(body).digest();
    const sent = Buffer.from(value, "base64");
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
      throw invalid(mismatch(hash, sent, body));
    }
  }
}

/** Some clients hash `{}` when there is no body: worth telling, since nothing else looks wrong. */
function mismatch(hash: "sha256" | "sha512", sent: Buffer, body: Uint8Array): string {
  const ofBraces = createHash(hash).update("{}").digest();
  if (body.byteLength === 0 && ofBraces.equals(sent))
    return "Digest covers {} but the body is empty";
  return `Digest does not match the ${body.byteLength} bytes of the body`;
}

function invalid(text: string) {
  return signatureInvalid(text, "Digest");
}
