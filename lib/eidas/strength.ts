import type { KeyObject } from "node:crypto";
import { elements, explicit, isTagged, objectId } from "./asn1";
import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { certificateLimits } from "./limits";

/** ECDSA and RSA PKCS #1 v1.5 with SHA-256, SHA-384, SHA-512. What is not listed is refused, MD5 and SHA-1 first. */
const strongSignatures = new Set([
  "1.2.840.113549.1.1.11",
  "1.2.840.113549.1.1.12",
  "1.2.840.113549.1.1.13",
  "1.2.840.10045.4.3.2",
  "1.2.840.10045.4.3.3",
  "1.2.840.10045.4.3.4",
]);
const RSASSA_PSS = "1.2.840.113549.1.1.10";
const strongHashes = new Set([
  "2.16.840.1.101.3.4.2.1",
  "2.16.840.1.101.3.4.2.2",
  "2.16.840.1.101.3.4.2.3",
]);
const strongCurves = new Set(["prime256v1", "secp384r1", "secp521r1"]);

export function checkStrength(certificate: Certificate): void {
  if (!hasStrongKey(certificate.publicKey))
    throw new CertificateFault("certificate has a weak key");
  if (!hasStrongSignature(certificate)) {
    throw new CertificateFault("certificate has a weak signature");
  }
}

export function hasStrongKey(key: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = "none" } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "ec") return strongCurves.has(namedCurve);
  return (
    key.asymmetricKeyType === "rsa" &&
    modulusLength >= certificateLimits.rsaBitsMin &&
    modulusLength <= certificateLimits.rsaBitsMax
  );
}

function hasStrongSignature({ signatureAlgorithm: { id, parameters } }: Certificate): boolean {
  if (strongSignatures.has(id)) return true;
  if (id !== RSASSA_PSS) return false;
  const [hash] = elements(parameters).filter((parameter) => isTagged(parameter, 0));
  // RFC 4055 3.1: without a named hash it is SHA-1.
  return hash !== undefined && strongHashes.has(objectId(elements(explicit(hash, 0))[0]));
}
