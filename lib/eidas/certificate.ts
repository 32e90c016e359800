import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import {
  Boolean as Asn1Boolean,
  Set as Asn1Set,
  type BaseBlock,
  BitString,
  Constructed,
  ObjectIdentifier,
  Primitive,
} from "asn1js";
import type { Psd2Role } from "@/lib/domain/tpp";
import {
  type Asn1,
  elements,
  explicit,
  instant,
  integer,
  isTagged,
  objectId,
  octets,
  readDer,
  text,
  unreadable,
} from "./asn1";
import { CertificateFault, certificateLimits, truncated } from "./certificate-fault";

export type Certificate = {
  readonly x509: X509Certificate;
  /** `x5t#S256` of RFC 8705: base64url of the SHA-256 of the DER. */
  readonly thumbprint: string;
  readonly serialNumber: bigint;
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
  /** Where its issuer publishes its revocation status; http and https only. */
  readonly ocspUrls: readonly string[];
  readonly crlUrls: readonly string[];
};

export function thumbprintOf(der: Uint8Array): string {
  return createHash("sha256").update(der).digest("base64url");
}

/**
 * Opens the DER without reading its extensions: enough to ask who signed it. What OpenSSL would
 * encode differently is refused, so that both parsers see the same certificate.
 */
export function openCertificate(der: Uint8Array): X509Certificate {
  if (der.byteLength > certificateLimits.derBytesMax) throw unreadable();
  try {
    const x509 = new X509Certificate(der);
    if (x509.raw.equals(der)) return x509;
  } catch {
    // OpenSSL's error does not matter: it is not a certificate.
  }
  throw unreadable();
}

export function readCertificate(der: Uint8Array): Certificate {
  const x509 = openCertificate(der);
  try {
    return fromParts(x509, elements(elements(readDer(der))[0]), thumbprintOf(der));
  } catch (error) {
    throw error instanceof CertificateFault ? error : unreadable();
  }
}

/** As it is encoded, which is how it is compared and hashed. */
export function subjectOf({ raw }: X509Certificate): BaseBlock {
  const subject = elements(elements(readDer(raw))[0])[5];
  if (subject === undefined) throw unreadable();
  return subject;
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
  const read = <Value>(name: keyof typeof extensionIds, parse: (content: Uint8Array) => Value) => {
    const content = extensions.get(extensionIds[name]);
    return content === undefined ? undefined : parse(content);
  };
  return {
    isAuthority: read("basicConstraints", readIsAuthority) ?? false,
    keyUsage: read("keyUsage", readKeyUsage) ?? [],
    // Without it, the key is good for any purpose (RFC 5280 4.2.1.12).
    extendedKeyUsage: read("extendedKeyUsage", (content) => listIn(content).map(objectId)),
    policies: read("certificatePolicies", readPolicies) ?? [],
    dnsNames: read("subjectAltName", readDnsNames) ?? [],
    qcStatements: read("qcStatements", readQcStatements),
    ocspUrls: read("authorityInfoAccess", readOcspUrls) ?? [],
    crlUrls: read("crlDistributionPoints", readCrlUrls) ?? [],
  };
}

function listIn(content: Uint8Array): readonly BaseBlock[] {
  return elements(readDer(content));
}

/** One attribute of a name: its object identifier and its text as it stands, never escaped. */
export type NameAttribute = { readonly type: string; readonly value: string };
type RelativeName = readonly NameAttribute[];
export type DistinguishedName = readonly RelativeName[];

export const attributeTypes = {
  commonName: "2.5.4.3",
  organizationName: "2.5.4.10",
  organizationIdentifier: "2.5.4.97",
} as const;

export function readDistinguishedName(value: Asn1): DistinguishedName {
  return elements(value).map((relative) => {
    if (!(relative instanceof Asn1Set)) throw unreadable();
    return relative.valueBlock.value.map(readAttribute);
  });
}

/**
 * The value of an attribute that identifies an organisation. Twice in one name, it would be ambiguous;
 * a printed name could hide a second one, which is why printed names are never parsed.
 */
function singleAttribute(
  name: DistinguishedName,
  attribute: keyof typeof attributeTypes,
): string | undefined {
  const found = name.flat().filter(({ type }) => type === attributeTypes[attribute]);
  if (found.length > 1) throw new CertificateFault(`certificate has more than one ${attribute}`);
  const value = found[0]?.value;
  if (value === undefined) return undefined;
  if (!isPlainText(value)) throw unusable(`certificate has an unusable ${attribute}`);
  return value;
}

/**
 * Text that can be shown, logged and stored: some, not too long, and no line break, other control or
 * mark that turns the writing round, so that a person reads it as it is compared.
 */
function isPlainText(value: string): boolean {
  return (
    value.length > 0 &&
    value.length <= certificateLimits.nameCharactersMax &&
    !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value)
  );
}

function unusable(what: string): CertificateFault {
  const { nameCharactersMax } = certificateLimits;
  const text = `${what}: it is empty, has more than ${nameCharactersMax} characters or one that is none to see`;
  return new CertificateFault(text);
}

function readAttribute(value: Asn1): NameAttribute {
  const [type, content, ...more] = elements(value);
  if (more.length > 0) throw unreadable();
  return { type: objectId(type), value: text(content) };
}

const extensionIds = {
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  crlDistributionPoints: "2.5.29.31",
  certificatePolicies: "2.5.29.32",
  extendedKeyUsage: "2.5.29.37",
  authorityInfoAccess: "1.3.6.1.5.5.7.1.1",
  qcStatements: "1.3.6.1.5.5.7.1.3",
} as const;

type Extensions = ReadonlyMap<string, Uint8Array>;

const understood = new Set<string>(Object.values(extensionIds));

/**
 * RFC 5280 4.2: no extension twice, and a critical one that we do not understand ends it: the
 * issuer says that the certificate must not be used without it.
 */
export function readExtensions(value: Asn1): Extensions {
  const found = new Map<string, Uint8Array>();
  for (const extension of elements(value)) {
    const { id, critical, content } = readExtension(extension);
    if (found.has(id))
      throw new CertificateFault(`certificate has the extension ${truncated(id)} twice`);
    if (critical && !understood.has(id)) {
      throw new CertificateFault(
        `certificate has a critical extension not understood: ${truncated(id)}`,
      );
    }
    found.set(id, content);
  }
  return found;
}

function readExtension(value: Asn1) {
  const [id, ...rest] = elements(value);
  const critical = rest.length === 2 ? rest[0] : undefined;
  if (rest.length > 2) throw unreadable();
  if (critical !== undefined && !(critical instanceof Asn1Boolean)) throw unreadable();
  return {
    id: objectId(id),
    critical: critical?.getValue() ?? false,
    content: octets(rest[rest.length - 1]),
  };
}

/** Bits of RFC 5280 4.2.1.3, in their order. */
const keyUsages = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
] as const;
type KeyUsage = (typeof keyUsages)[number];

function readIsAuthority(content: Uint8Array): boolean {
  const [first] = listIn(content);
  return first instanceof Asn1Boolean && first.getValue();
}

function readKeyUsage(content: Uint8Array): readonly KeyUsage[] {
  const bits = readDer(content);
  if (!(bits instanceof BitString)) throw unreadable();
  const byte = bits.valueBlock.valueHexView[0];
  if (byte === undefined) throw unreadable();
  return keyUsages.filter((_, bit) => (byte & (0x80 >> bit)) !== 0);
}

function readPolicies(content: Uint8Array): readonly string[] {
  return listIn(content).map((policy) => objectId(elements(policy)[0]));
}

/** The dNSName entries in lower case, a wildcard as `*.`; other kinds of names are ignored. */
function readDnsNames(content: Uint8Array): readonly string[] {
  return listIn(content)
    .filter((name) => isTagged(name, 2))
    .map(readDnsName);
}

const DNS_NAME = /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

function readDnsName(value: BaseBlock): string {
  const name = latin1(value).toLowerCase();
  if (!DNS_NAME.test(name)) {
    throw new CertificateFault(`certificate has an unusable dNSName: ${truncated(name)}`);
  }
  return name;
}

/** ETSI TS 119 495 5.1: what the competent authority allows the TPP to do. */
type Psd2Statement = {
  readonly roles: readonly Psd2Role[];
  readonly authorityName: string;
  readonly authorityId: string;
};

type QcStatements = {
  /**
   * False when the extension holds the PSD2 statement itself in place of a list of statements, as
   * some issuers of test certificates write it. Such an extension cannot hold a QcType.
   */
  readonly listed: boolean;
  /** QcCompliance: the issuer declares the certificate a qualified one. */
  readonly qualified: boolean;
  readonly types: readonly string[];
  readonly psd2: Psd2Statement | undefined;
};

const statementIds = {
  qcCompliance: "0.4.0.1862.1.1",
  qcType: "0.4.0.1862.1.6",
  psd2: "0.4.0.19495.2",
} as const;

const roleNames: Readonly<Record<string, Psd2Role>> = {
  "0.4.0.19495.1.1": "PSP_AS",
  "0.4.0.19495.1.2": "PSP_PI",
  "0.4.0.19495.1.3": "PSP_AI",
  "0.4.0.19495.1.4": "PSP_IC",
};

export function readQcStatements(content: Uint8Array): QcStatements {
  const root = readDer(content);
  const listed = !(elements(root)[0] instanceof ObjectIdentifier);
  const statements = readStatements(listed ? elements(root) : [root]);
  const type = statements.get(statementIds.qcType);
  const psd2 = statements.get(statementIds.psd2);
  return {
    listed,
    qualified: statements.has(statementIds.qcCompliance),
    types: type === undefined ? [] : elements(type.info).map(objectId),
    psd2: psd2 === undefined ? undefined : readPsd2Statement(psd2.info),
  };
}

function readStatements(values: readonly Asn1[]): ReadonlyMap<string, { readonly info: Asn1 }> {
  const found = new Map<string, { readonly info: Asn1 }>();
  for (const value of values) {
    const [id, info, ...more] = elements(value);
    if (more.length > 0) throw unreadable("a qcStatement");
    if (found.has(objectId(id))) {
      throw new CertificateFault(
        `certificate has the qcStatement ${truncated(objectId(id))} twice`,
      );
    }
    found.set(objectId(id), { info });
  }
  return found;
}

function readPsd2Statement(info: Asn1): Psd2Statement {
  const [roles, authorityName, authorityId, ...more] = elements(info);
  if (more.length > 0) throw unreadable("PSD2 statement");
  const read = elements(roles).map(readRole);
  if (read.length === 0) throw new CertificateFault("PSD2 statement has no role");
  if (new Set(read).size < read.length)
    throw new CertificateFault("PSD2 statement has a role twice");
  return {
    roles: read,
    authorityName: plainText(authorityName, "nCAName"),
    authorityId: plainText(authorityId, "nCAId"),
  };
}

/** The identifier decides; a name that says otherwise would mislead readers of the name. */
function readRole(value: Asn1): Psd2Role {
  const [id, name, ...more] = elements(value);
  const role = roleNames[objectId(id)];
  if (role === undefined || more.length > 0) {
    throw new CertificateFault(`PSD2 statement has an unknown role: ${truncated(objectId(id))}`);
  }
  if (text(name) !== role) {
    throw new CertificateFault(
      `PSD2 role identifier and name disagree: ${objectId(id)} is ${role}, its name is ${truncated(text(name))}`,
    );
  }
  return role;
}

function plainText(value: Asn1, what: string): string {
  const read = text(value);
  if (!isPlainText(read)) throw unusable(`PSD2 statement has an unusable ${what}`);
  return read;
}

const OCSP = "1.3.6.1.5.5.7.48.1";

/** RFC 5280 4.2.2.1: authorityInfoAccess, of which only the responders are of use here. */
function readOcspUrls(content: Uint8Array): readonly string[] {
  const locations = listIn(content).flatMap((description) => {
    const [method, location, ...more] = elements(description);
    if (location === undefined || more.length > 0) throw unreadable();
    return objectId(method) === OCSP ? [location] : [];
  });
  return urlsOf(locations);
}

/** RFC 5280 4.2.1.13: full names; a list that is partial by reason or signed by another is not used. */
function readCrlUrls(content: Uint8Array): readonly string[] {
  const names = listIn(content).flatMap((point) => {
    const parts = elements(point);
    const [name] = parts;
    if (parts.length !== 1 || name === undefined || !isTagged(name, 0)) return [];
    return within(name)
      .filter((full) => isTagged(full, 0))
      .flatMap(within);
  });
  return urlsOf(names);
}

/** The URIs of the web among general names; directories and the like are ignored. */
function urlsOf(names: readonly BaseBlock[]): readonly string[] {
  const uris = names.filter((name) => isTagged(name, 6)).map(latin1);
  const urls = [...new Set(uris.filter((uri) => /^https?:/i.test(uri)))];
  if (urls.length > certificateLimits.statusAddressesMax) {
    throw new CertificateFault("certificate names too many places for its status");
  }
  if (!urls.every(isUsable)) {
    throw new CertificateFault("certificate has an unusable address for its status");
  }
  return urls;
}

/** Without blanks and controls, so that it can be logged as it is. */
function isUsable(url: string): boolean {
  const { statusAddressCharactersMax } = certificateLimits;
  return url.length <= statusAddressCharactersMax && /^https?:\/\/[\x21-\x7e]+$/i.test(url);
}

function latin1(value: BaseBlock): string {
  if (!(value instanceof Primitive)) throw unreadable();
  return Buffer.from(value.valueBlock.valueHexView).toString("latin1");
}

function within(value: BaseBlock): readonly BaseBlock[] {
  if (!(value instanceof Constructed)) throw unreadable();
  return value.valueBlock.value;
}
