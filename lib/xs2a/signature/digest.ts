import { createHash, timingSafeEqual } from "node:crypto";
import { decodeBase64 } from "@/lib/eidas/base64";
import { shown } from "@/lib/eidas/shown";
import { digestMistake } from "./digest-mistakes";
import { misencoded } from "./misencoded";
import { signatureInvalid } from "./signature-invalid";

/** RFC 3230, as far as this profile takes it; a map, so that no name of a prototype is one. */
const HASHES = new Map<string, "sha256" | "sha512">([
  ["sha-256", "sha256"],
  ["sha-512", "sha512"],
]);
const ENTRY = /^([A-Za-z0-9-]+)=(.+)$/;

/**
 * The digest is over the raw bytes as they came, for a request without a body over none. Every
 * digest given has to be one we know and has to match: an unknown one beside a right one could be
 * the one somebody else relies on. Rejects with 401 SIGNATURE_INVALID.
 */
export function checkDigest(header: string | null, body: Uint8Array): void {
  if (header === null) throw invalid("Digest is missing");
  const given = new Set<string>();
  for (const entry of header.split(",")) {
    const [, name, value] = ENTRY.exec(entry.trim()) ?? [];
    if (name === undefined || value === undefined) {
      throw invalid(`Digest "${shown(entry.trim())}" is not of the form SHA-256=base64`);
    }
    const hash = HASHES.get(name.toLowerCase());
    if (hash === undefined) throw invalid(`Digest is SHA-256 or SHA-512, not ${shown(name)}`);
    if (given.has(hash)) throw invalid(`Digest gives ${name} twice`);
    given.add(hash);
    const sent = decodeBase64(value);
    if (sent === undefined) throw invalid(`Digest ${misencoded(value)}`);
    const expected = createHash(hash).update(body).digest();
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
      throw invalid(`Digest ${digestMistake(hash, sent, body)}`);
    }
  }
}

function invalid(text: string) {
  return signatureInvalid(text, "Digest");
}
