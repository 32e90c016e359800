// The library throws on loading unless this is there before it; so it is loaded from here only.
import "reflect-metadata";

import {
  AuthorityKeyIdentifierExtension,
  type Extension,
  Name,
  PemConverter,
  type PublicKeyType,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { fromBER, ObjectIdentifier, Sequence, Utf8String } from "asn1js";

export * from "@peculiar/x509";

/** The sandbox CA, or for a certificate that must be refused any other pair of keys. */
export type Issuer = { readonly name: Name; readonly keys: CryptoKeyPair };

/** All that a certificate says, so that a caller can change a part of a good one. */
export type CertificateParts = {
  readonly subject: Name;
  readonly publicKey: PublicKeyType;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** In the order they are written. The key identifiers come after them. */
  readonly extensions: Readonly<Record<string, Extension>>;
  /** Hexadecimal; 16 random octets when not given. */
  readonly serialNumber?: string;
  /** For an EC issuer; an RSA key brings its own. */
  readonly hash?: "SHA-1" | "SHA-256";
};

/** Attributes in their order, each an RDN of its own, as UTF8String (a country as PrintableString). */
export function distinguishedName(...attributes: (readonly [string, string])[]): Name {
  return new Name(
    attributes.map(([type, value]) => ({
      [type]: [type === "C" ? { printableString: value } : { utf8String: value }],
    })),
  );
}

export async function issueCertificate(
  issuer: Issuer,
  parts: CertificateParts,
): Promise<X509Certificate> {
  const { extensions, serialNumber = randomSerialNumber(), hash = "SHA-256", ...rest } = parts;
  return await X509CertificateGenerator.create({
    ...rest,
    serialNumber,
    issuer: issuer.name,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: { name: "ECDSA", hash },
    extensions: [
      ...Object.values(extensions),
      await SubjectKeyIdentifierExtension.create(parts.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.keys.publicKey),
    ],
  });
}

/** PEM that ends with a line break, as OpenSSL writes it. */
export function certificatePem(certificate: X509Certificate): string {
  return `${certificate.toString("pem")}\n`;
}

/** The first octet keeps the number positive and of a fixed length. */
function randomSerialNumber(): string {
  const octets = crypto.getRandomValues(new Uint8Array(15));
  return `5a${Buffer.from(octets).toString("hex")}`;
}

/** The DER of what qcStatements are made of; the items of a sequence are DER already. */
export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return der(new Sequence({ value: items.map((item) => fromBER(item).result) }));
}

export function utf8(value: string): Uint8Array {
  return der(new Utf8String({ value }));
}

export function objectId(value: string): Uint8Array {
  return der(new ObjectIdentifier({ value }));
}

function der(value: Sequence | Utf8String | ObjectIdentifier): Uint8Array {
  return new Uint8Array(value.toBER());
}

/** RSA is what most TPPs' certificates hold; its hash is chosen when the key is made. */
export function makeRsaKeys(
  bits = 2_048,
  hash: "SHA-1" | "SHA-256" = "SHA-256",
): Promise<CryptoKeyPair> {
  const publicExponent = Uint8Array.of(1, 0, 1);
  const algorithm = { name: "RSASSA-PKCS1-v1_5", modulusLength: bits, publicExponent, hash };
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

const ecdsaP256 = { name: "ECDSA", namedCurve: "P-256" } as const;

export function makeEcKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ecdsaP256, true, ["sign", "verify"]);
}

export async function privateKeyPem(key: CryptoKey): Promise<string> {
  return `${PemConverter.encode(await crypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY")}\n`;
}

/** The private key of a P-256 pair. Throws when the PEM holds anything else. */
export function readEcPrivateKey(pem: string): Promise<CryptoKey> {
  const [der] = PemConverter.decode(pem);
  if (der === undefined) throw new Error("no PEM private key");
  return crypto.subtle.importKey("pkcs8", der, ecdsaP256, true, ["sign"]);
}
