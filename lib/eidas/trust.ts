import type { KeyObject, X509Certificate } from "node:crypto";
import { getOrCreate } from "@/lib/cache";
import { type Asn1, elements, explicit, isTagged, objectId } from "./asn1";
import { type Certificate, openCertificate, readCertificate, thumbprintOf } from "./certificate";
import { CertificateFault, certificateLimits, truncated, unlessFaulty } from "./certificate-fault";

type Trusted = { readonly certificate: Certificate; readonly issuers: readonly TrustAnchor[] };

/** A certificate as it was presented: the text of a header, and how the DER in it is read; or the DER itself. */
export type Presented =
  | Uint8Array
  | { readonly text: string; readonly read: (text: string) => Uint8Array };

/** Certificates already read: by their DER, and by the texts that they were presented in. */
type Known = {
  readonly byThumbprint: Map<string, Trusted>;
  readonly byText: Readonly<Record<QualifiedType, Map<string, Trusted>>>;
};

const trusted = new WeakMap<TrustAnchors, Known>();

/**
 * Reads a certificate of this type that an anchor issued, as it is granted to, and that is valid now.
 * Only the signature of an unknown issuer's certificate is read, and all of them get the same error. The
 * issuer and the content do not change and are cached; validity is checked each time, and revocation
 * elsewhere, since issuers have to be asked for it.
 */
export function readTrustedCertificate(
  presented: Presented,
  anchors: TrustAnchors,
  { type, now }: { readonly type: QualifiedType; readonly now: Date },
): Certificate {
  const { certificate, issuers } = established(presented, anchors, type);
  const isTrusted = issuers.some(
    (issuer) =>
      isValidAt(issuer, now) &&
      issuer.issues?.includes(type) !== false &&
      (issuer.until === undefined || now < issuer.until),
  );
  if (!isTrusted) throw notTrusted();
  checkValidity(certificate, now);
  return certificate;
}

/**
 * The same certificate without the checks of time: for a lookup before the time is known. Undefined for
 * one of an unknown issuer, and for malformed bytes.
 */
export function issuedCertificate(
  presented: Presented,
  anchors: TrustAnchors,
  type: QualifiedType,
): Certificate | undefined {
  return unlessFaulty(() => established(presented, anchors, type).certificate);
}

export function issuerOf({ x509, thumbprint }: Certificate, anchors: TrustAnchors): Certificate {
  const known =
    trusted.get(anchors)?.byThumbprint.get(thumbprint)?.issuers ?? issuersOf(x509, anchors);
  const [issuer] = known;
  if (issuer === undefined) throw notTrusted();
  return issuer;
}

function notTrusted(): CertificateFault {
  return new CertificateFault("certificate is not issued by a trusted issuer");
}

function knownTo(anchors: TrustAnchors): Known {
  const known = trusted.get(anchors);
  if (known !== undefined) return known;
  const byText = { web: new Map<string, Trusted>(), eseal: new Map<string, Trusted>() };
  const made = { byThumbprint: new Map<string, Trusted>(), byText };
  trusted.set(anchors, made);
  return made;
}

/** A TPP sends the same text with each request: to decode and to hash it costs more than to know it again. */
function established(presented: Presented, anchors: TrustAnchors, type: QualifiedType): Trusted {
  const { cachedCertificatesMax: max } = certificateLimits;
  const { byThumbprint, byText } = knownTo(anchors);
  const ofDer = (der: Uint8Array) =>
    getOrCreate(byThumbprint, thumbprintOf(der), max, () => establish(der, anchors, type));
  if (presented instanceof Uint8Array) return ofDer(presented);
  const { text, read } = presented;
  return getOrCreate(byText[type], text, max, () => ofDer(read(text)));
}

function establish(der: Uint8Array, anchors: TrustAnchors, type: QualifiedType): Trusted {
  const issuers = issuersOf(openOrRefuse(der, type), anchors);
  if (issuers.length === 0) throw notTrusted();
  const certificate = readCertificate(der);
  checkStrength(certificate);
  return { certificate, issuers };
}

function openOrRefuse(der: Uint8Array, type: QualifiedType) {
  try {
    return openCertificate(der);
  } catch {
    // The sender of a seal has a trusted QWAC, and gets the precise error.
    throw type === "eseal" ? noCertificate() : notTrusted();
  }
}

function noCertificate(): CertificateFault {
  return new CertificateFault("signature certificate is base64 of what is no X.509 certificate");
}

/** A trusted issuer: for every kind of certificate, or for those it is granted. */
type TrustAnchor = Certificate & {
  readonly issues?: readonly QualifiedType[];
  /** When the list that names it ends: a server may have had no newer one since. */
  readonly until?: Date;
};

export type TrustAnchors = readonly TrustAnchor[];

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

/**
 * The trusted issuers of QWACs and QSealCs, from a PEM file; text around the
 * certificates is passed over. Throws an Error whose message says which certificate is unfit and
 * why: skipping a certificate would refuse its TPPs without a log line.
 */
export function parseTrustAnchors(pem: string): TrustAnchors {
  const blocks = [...pem.matchAll(PEM_CERTIFICATE)];
  const begun = pem.split("-----BEGIN ").length - 1;
  if (blocks.length < begun) throw new Error("trust anchors: a PEM block is no whole certificate");
  if (blocks.length === 0) throw new Error("trust anchors: there is no PEM certificate");
  return blocks.map(([, base64 = ""], index) => {
    try {
      return readTrustAnchor(Buffer.from(base64, "base64"));
    } catch (error) {
      if (!(error instanceof CertificateFault)) throw error;
      throw new Error(`trust anchors: certificate ${index + 1}: ${error.message}`);
    }
  });
}

/** Throws a CertificateFault unless it is a CA's certificate with a strong key. */
export function readTrustAnchor(der: Uint8Array): Certificate {
  const anchor = readCertificate(der);
  if (!anchor.isAuthority) throw new CertificateFault("certificate is not a CA certificate");
  if (!hasStrongKey(anchor.publicKey)) throw new CertificateFault("certificate has a weak key");
  return anchor;
}

/**
 * The anchors that issued this certificate themselves: a qualified certificate comes from a listed issuer, so no
 * chain is built. There can be two, when an issuer renewed its own certificate and kept the key. `checkIssued`
 * compares names and key identifiers and demands an issuer that may sign certificates; the signature proves it.
 */
export function issuersOf(x509: X509Certificate, anchors: TrustAnchors): readonly TrustAnchor[] {
  return anchors.filter(
    (anchor) => anchor.isAuthority && x509.checkIssued(anchor.x509) && isSignedBy(x509, anchor),
  );
}

function isSignedBy(x509: X509Certificate, anchor: Certificate): boolean {
  try {
    return x509.verify(anchor.publicKey);
  } catch {
    return false;
  }
}

export type QualifiedType = "web" | "eseal";

/** QcType of ETSI EN 319 412-5. */
const qcTypes = { web: "0.4.0.1862.1.6.3", eseal: "0.4.0.1862.1.6.2" } as const;

export const typeNames: Readonly<Record<string, string>> = {
  [qcTypes.web]: "web",
  [qcTypes.eseal]: "eseal",
  "0.4.0.1862.1.6.1": "esign",
};

/** Policies under which only qualified certificates of one type are issued (ETSI EN 319 411-2, TS 119 495). */
const policies = {
  web: ["0.4.0.19495.3.1", "0.4.0.194112.1.4"],
  eseal: ["0.4.0.194112.1.1", "0.4.0.194112.1.3"],
} as const;

/**
 * RTS art. 34: a qualified certificate for website authentication or for electronic seals. It is
 * of one type only. Where the extension cannot hold a QcType, the policy names it.
 */
export function checkQualifiedType(certificate: Certificate, type: QualifiedType): void {
  const { qcStatements } = certificate;
  if (qcStatements === undefined) throw new CertificateFault("certificate has no qcStatements");
  const types = qcStatements.listed ? qcStatements.types : typesByPolicy(certificate.policies);
  if (types.length !== 1 || types[0] !== qcTypes[type]) {
    const own = types.map((id) => typeNames[id] ?? truncated(id)).join(" and ");
    throw new CertificateFault(`certificate is not of QcType ${type} but of ${own || "none"}`);
  }
  if (qcStatements.listed && !qcStatements.qualified) {
    throw new CertificateFault("certificate has no QcCompliance statement");
  }
}

function typesByPolicy(found: readonly string[]): readonly string[] {
  return (["web", "eseal"] as const)
    .filter((type) => policies[type].some((policy) => found.includes(policy)))
    .map((type) => qcTypes[type]);
}

type SignatureAlgorithm = {
  readonly hash: string;
  readonly key: "rsa" | "ec";
  readonly pss?: true;
};

/** RSA PKCS #1 v1.5 and ECDSA. What is not listed is refused, MD5 and SHA-1 first. */
const strongSignatures: Readonly<Record<string, SignatureAlgorithm>> = {
  "1.2.840.113549.1.1.11": { hash: "sha256", key: "rsa" },
  "1.2.840.113549.1.1.12": { hash: "sha384", key: "rsa" },
  "1.2.840.113549.1.1.13": { hash: "sha512", key: "rsa" },
  "1.2.840.10045.4.3.2": { hash: "sha256", key: "ec" },
  "1.2.840.10045.4.3.3": { hash: "sha384", key: "ec" },
  "1.2.840.10045.4.3.4": { hash: "sha512", key: "ec" },
};
const RSASSA_PSS = "1.2.840.113549.1.1.10";
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
  const { id, parameters } = certificate.signatureAlgorithm;
  if (strongSignature(id, parameters) === undefined) {
    throw new CertificateFault(
      `certificate has a weak signature: ${weakSignatures[id] ?? truncated(id)}; SHA-256, SHA-384 and SHA-512 are accepted`,
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

/** ETSI TS 119 312: above 2^16. With 1, any value is its own signature. */
function isSafeExponent({
  asymmetricKeyDetails: { publicExponent = 0n } = {},
}: KeyObject): boolean {
  return publicExponent > 65_536n;
}

/** How to verify a signature of this algorithm; undefined where it is not a strong one. */
export function strongSignature(id: string, parameters: Asn1): SignatureAlgorithm | undefined {
  if (id !== RSASSA_PSS) return strongSignatures[id];
  // RSASSA-PSS has its hash in its parameters; without a named one it is SHA-1 (RFC 4055 3.1).
  const [named] = elements(parameters).filter((parameter) => isTagged(parameter, 0));
  const hash = named && strongHashes[objectId(elements(explicit(named, 0))[0])];
  return hash === undefined ? undefined : { hash, key: "rsa", pss: true };
}

/** RFC 5280 4.1.2.5: both ends belong to the period. */
export function isValidAt({ notBefore, notAfter }: Certificate, now: Date): boolean {
  return notBefore <= now && now <= notAfter;
}

function checkValidity(certificate: Certificate, now: Date): void {
  if (isValidAt(certificate, now)) return;
  const { notBefore, notAfter } = certificate;
  const fault =
    now < notBefore
      ? `is not valid before ${toSecond(notBefore)}`
      : `was valid until ${toSecond(notAfter)}`;
  const text = `certificate ${fault}, the bank's clock says ${toSecond(now)}`;
  throw new CertificateFault(text, "CERTIFICATE_EXPIRED");
}

function toSecond(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, "Z");
}
