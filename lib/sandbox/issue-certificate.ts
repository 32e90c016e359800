import {
  AuthorityKeyIdentifierExtension,
  type Extension,
  Name,
  type PublicKeyType,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "./x509";

/** Whoever signs: the sandbox CA, or for a certificate meant to be refused any other pair of keys. */
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

/** The few DER types that qcStatements are made of. Lengths above 65 535 octets do not occur. */

export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return tagged(0x30, Buffer.concat(items));
}

export function utf8(text: string): Uint8Array {
  return tagged(0x0c, Buffer.from(text, "utf8"));
}

/** An object identifier in dotted form. */
export function objectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

function tagged(tag: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Uint8Array.from([tag, ...length(content.byteLength)]), content]);
}

function length(octets: number): readonly number[] {
  if (octets < 0x80) return [octets];
  return octets < 0x100 ? [0x81, octets] : [0x82, octets >> 8, octets & 0xff];
}

function base128(arc: number): readonly number[] {
  const digits = [arc & 0x7f];
  for (let rest = arc >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
