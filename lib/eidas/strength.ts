import type { KeyObject } from "node:crypto";
import { type Asn1, elements, explicit, isTagged, objectId } from "./asn1";
import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { certificateLimits } from "./limits";
import { shown } from "./shown";

/** ECDSA and RSA PKCS #1 v1.5 with SHA-256, SHA-384, SHA-512. What is not listed is refused, MD5 and SHA-1 first. */
const strongSignatures = new Set([
  "1.2.840.113549.1.1.11",
  "1.2.840.113549.1.1.12",
  "1.2.840.113549.1.1.13",
  "1.2.840.10045.4.3.2",
  "1.2.840.10045.4.3.3",
  "1.2.840.10045.4.3.4",
]);
export const RSASSA_PSS = "1.2.840.113549.1.1.10";
const strongHashes: Readonly<Record<string, string>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};
const strongCurves = new Set(["prime256v1", "secp384r1", "secp521r1"]);

/** What an issuer of yesterday signs with, by the names its maker knows. */
const weakSignatures: Readonly<Record<string, string>> = {
  "1.2.840.113549.1.1.4": "RSA and MD5",
  "1.2.840.113549.1.1.5": "RSA and SHA-1",
  "1.2.840.10045.4.1": "ECDSA and SHA-1",
  [RSASSA_PSS]: "RSASSA-PSS and a hash that is not accepted",
};

export function checkStrength(certificate: Certificate): void {
  if (!hasStrongKey(certificate.publicKey)) {
    const { rsaBitsMin, rsaBitsMax } = certificateLimits;
    throw new CertificateFault(
      `certificate has a weak key: ${keyName(certificate.publicKey)}; RSA of ${rsaBitsMin} to ${rsaBitsMax} bits and EC on P-256, P-384 or P-521 are accepted`,
    );
  }
  if (!hasStrongSignature(certificate)) {
    const { id } = certificate.signatureAlgorithm;
    throw new CertificateFault(
      `certificate has a weak signature: ${weakSignatures[id] ?? shown(id)}; SHA-256, SHA-384 and SHA-512 are accepted`,
    );
  }
}

/** `RSA of 2048 bits`, `EC on prime256v1`: a key as its owner speaks of it. */
export function keyName(key: KeyObject): string {
  const { modulusLength, namedCurve, publicExponent } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "rsa") {
    const odd = isSafeExponent(key) ? "" : ` with the public exponent ${publicExponent}`;
    return `RSA of ${modulusLength} bits${odd}`;
  }
  if (key.asymmetricKeyType === "ec") return `EC on ${namedCurve}`;
  return `${key.asymmetricKeyType}`;
}

export function hasStrongKey(key: KeyObject): boolean {
  const { modulusLength = 0, namedCurve = "none" } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === "ec") return strongCurves.has(namedCurve);
  return (
    key.asymmetricKeyType === "rsa" &&
    modulusLength >= certificateLimits.rsaBitsMin &&
    modulusLength <= certificateLimits.rsaBitsMax &&
    isSafeExponent(key)
  );
}

/** ETSI TS 119 312: above 2^16. With 1, whatever is sent is its own signature. */
function isSafeExponent({
  asymmetricKeyDetails: { publicExponent = 0n } = {},
}: KeyObject): boolean {
  return publicExponent > 65_536n;
}

function hasStrongSignature({ signatureAlgorithm: { id, parameters } }: Certificate): boolean {
  if (strongSignatures.has(id)) return true;
  return id === RSASSA_PSS && pssHash(parameters) !== undefined;
}

/** The hash of RSASSA-PSS, from its parameters; undefined when it is none of the strong ones. */
export function pssHash(parameters: Asn1): string | undefined {
  const [hash] = elements(parameters).filter((parameter) => isTagged(parameter, 0));
  // RFC 4055 3.1: without a named hash it is SHA-1.
  return hash && strongHashes[objectId(elements(explicit(hash, 0))[0])];
}
