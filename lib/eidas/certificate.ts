import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import type { BaseBlock } from "asn1js";
import { type Asn1, elements, explicit, integer, objectId, readDer, unreadable } from "./asn1";
import { instant } from "./asn1-text";
import { CertificateFault } from "./certificate-fault";
import {
  type DistinguishedName,
  readDistinguishedName,
  singleAttribute,
} from "./distinguished-name";
import {
  type KeyUsage,
  readDnsNames,
  readExtendedKeyUsage,
  readIsAuthority,
  readKeyUsage,
  readPolicies,
} from "./extension-values";
import { type Extensions, extensionIds, readExtensions } from "./extensions";
import { certificateLimits } from "./limits";
import { type QcStatements, readQcStatements } from "./qc-statement";
import { readCrlUrls, readOcspUrls } from "./status-addresses";

/** A certificate as it says of itself; nothing here has been believed yet. */
export type Certificate = {
  readonly x509: X509Certificate;
  /** `x5t#S256` of RFC 8705: base64url of the SHA-256 of the DER. */
  readonly thumbprint: string;
  readonly serialNumber: bigint;
  /** In the order of the DER, i.e. the country first as a rule. */
  readonly issuer: DistinguishedName;
  readonly subject: DistinguishedName;
  readonly organizationIdentifier: string | undefined;
  readonly organizationName: string | undefined;
  readonly commonName: string | undefined;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly publicKey: KeyObject;
  /** Object identifier, and the parameters that RSASSA-PSS keeps its hash in. */
  readonly signatureAlgorithm: { readonly id: string; readonly parameters: Asn1 };
  readonly isAuthority: boolean;
  readonly keyUsage: readonly KeyUsage[];
  readonly extendedKeyUsage: readonly string[] | undefined;
  readonly policies: readonly string[];
  readonly dnsNames: readonly string[];
  readonly qcStatements: QcStatements | undefined;
  /** Where its issuer tells whether it still stands by it; http and https only. */
  readonly ocspUrls: readonly string[];
  readonly crlUrls: readonly string[];
};

export function thumbprintOf(der: Uint8Array): string {
  return createHash("sha256").update(der).digest("base64url");
}

/**
 * Opens the DER without reading its extensions: enough to ask who signed it. What OpenSSL would
 * write differently from what came is refused, so that both readers see the same certificate.
 */
export function openCertificate(der: Uint8Array): X509Certificate {
  if (der.byteLength > certificateLimits.derBytesMax) throw unreadable();
  try {
    const x509 = new X509Certificate(der);
    if (x509.raw.equals(der)) return x509;
  } catch {
    // Whatever OpenSSL has against it: it is not a certificate.
  }
  throw unreadable();
}

/** Reads a certificate from its DER. Throws a CertificateFault, whatever the bytes are. */
export function readCertificate(der: Uint8Array): Certificate {
  const x509 = openCertificate(der);
  try {
    return fromParts(x509, elements(elements(readDer(der))[0]), thumbprintOf(der));
  } catch (error) {
    throw error instanceof CertificateFault ? error : unreadable();
  }
}

function fromParts(
  x509: X509Certificate,
  parts: readonly BaseBlock[],
  thumbprint: string,
): Certificate {
  const [version, serialNumber, signature, issuer, validity, subject] = parts;
  readVersion(explicit(version, 0));
  const subjectName = readDistinguishedName(subject);
  const [notBefore, notAfter] = elements(validity);
  const [algorithm, parameters] = elements(signature);
  return {
    x509,
    thumbprint,
    serialNumber: readSerialNumber(serialNumber),
    issuer: readDistinguishedName(issuer),
    subject: subjectName,
    organizationIdentifier: singleAttribute(subjectName, "organizationIdentifier"),
    organizationName: singleAttribute(subjectName, "organizationName"),
    commonName: singleAttribute(subjectName, "commonName"),
    notBefore: instant(notBefore),
    notAfter: instant(notAfter),
    publicKey: x509.publicKey,
    signatureAlgorithm: { id: objectId(algorithm), parameters },
    ...fromExtensions(readExtensions(explicit(parts[parts.length - 1], 3))),
  };
}

/** Only version 3 has extensions, and without them there is neither a statement nor a CA flag. */
function readVersion(value: Asn1): void {
  if (integer(value).toBigInt() !== 2n)
    throw new CertificateFault("certificate is not of version 3");
}

/** RFC 5280 4.1.2.2: positive, at most 20 octets. */
function readSerialNumber(value: Asn1): bigint {
  const serialNumber = integer(value).toBigInt();
  const bitsMax = BigInt(certificateLimits.serialNumberBytesMax * 8);
  if (serialNumber <= 0n || serialNumber >> bitsMax > 0n) {
    throw new CertificateFault(
      `certificate has an unusable serial number: a positive one of at most ${certificateLimits.serialNumberBytesMax} octets is needed`,
    );
  }
  return serialNumber;
}

function fromExtensions(extensions: Extensions) {
  const qcStatements = extensions.get(extensionIds.qcStatements);
  return {
    isAuthority: readIsAuthority(extensions.get(extensionIds.basicConstraints)),
    keyUsage: readKeyUsage(extensions.get(extensionIds.keyUsage)),
    extendedKeyUsage: readExtendedKeyUsage(extensions.get(extensionIds.extendedKeyUsage)),
    policies: readPolicies(extensions.get(extensionIds.certificatePolicies)),
    dnsNames: readDnsNames(extensions.get(extensionIds.subjectAltName)),
    qcStatements: qcStatements && readQcStatements(qcStatements),
    ocspUrls: readOcspUrls(extensions.get(extensionIds.authorityInfoAccess)),
    crlUrls: readCrlUrls(extensions.get(extensionIds.crlDistributionPoints)),
  };
}
