import {
  createHash,
  createPrivateKey,
  type KeyObject,
  randomUUID,
  sign,
  X509Certificate,
} from "node:crypto";

/** A QSealC with its key: what a TPP signs with. */
export type Seal = { readonly certificate: X509Certificate; readonly key: KeyObject };

/** Header names in lower case, one value each. */
export type Headers = Readonly<Record<string, string>>;

type SignatureParameters = {
  readonly keyId: string;
  readonly algorithm: string;
  /** In the order in which they are signed. */
  readonly headers: readonly string[];
};

/** Throws when the key is not the certificate's: every signature made with it would be refused. */
export function seal(certificatePem: string, keyPem: string): Seal {
  const certificate = new X509Certificate(certificatePem);
  const key = createPrivateKey(keyPem);
  if (!certificate.checkPrivateKey(key)) throw new Error("the key is not the seal certificate's");
  return { certificate, key };
}

/** Over the bytes that go over the wire; a request without body has the digest of nothing. */
export function digest(body: Uint8Array, algorithm: "SHA-256" | "SHA-512" = "SHA-256"): string {
  const hash = createHash(algorithm.replace("-", "").toLowerCase());
  return `${algorithm}=${hash.update(body).digest("base64")}`;
}

/**
 * Serial number in hexadecimal and the issuer's distinguished name, most specific part first
 * (RFC 4514), its values percent-encoded because `keyId` is a quoted string.
 */
export function keyId(certificate: X509Certificate): string {
  const issuer = certificate.issuer.split("\n").reverse().map(encodedPart).join(",");
  return `SN=${certificate.serialNumber},CA=${issuer}`;
}

/** The text under the signature; a listed header that is not there is a mistake of the caller. */
export function signingString(names: readonly string[], headers: Headers): string {
  return names
    .map((name) => {
      const value = headers[name];
      if (value === undefined) throw new Error(`cannot sign ${name}: the request does not have it`);
      return `${name}: ${value.trim()}`;
    })
    .join("\n");
}

export function signature(using: Seal, names: readonly string[], headers: Headers): string {
  // Node sends header values in Latin-1, and refuses what it has no bytes for.
  const text = Buffer.from(signingString(names, headers), "latin1");
  const algorithm = using.key.asymmetricKeyType === "rsa" ? "rsa-sha256" : "ecdsa-sha256";
  return signatureHeader(
    { keyId: keyId(using.certificate), algorithm, headers: names },
    sign("sha256", text, using.key),
  );
}

export function signatureHeader(parameters: SignatureParameters, value: Uint8Array): string {
  const parts = [
    `keyId="${parameters.keyId}"`,
    `algorithm="${parameters.algorithm}"`,
    `headers="${parameters.headers.join(" ")}"`,
    `signature="${Buffer.from(value).toString("base64")}"`,
  ];
  return parts.join(",");
}

/** What must be signed whenever the request has it. */
const COVERED = [
  "digest",
  "x-request-id",
  "date",
  "psu-id",
  "psu-corporate-id",
  "tpp-redirect-uri",
  // Not on the standard's list, yet the PSU's browser is sent there.
  "tpp-nok-redirect-uri",
];

/** The headers of a request made whole: id and date where missing, digest, signature, certificate. */
export function signed(using: Seal, body: Uint8Array, headers: Headers): Headers {
  const complete: Headers = {
    "x-request-id": randomUUID(),
    date: new Date().toUTCString(),
    ...headers,
    digest: digest(body),
  };
  const names = COVERED.filter((name) => complete[name] !== undefined);
  return {
    ...complete,
    signature: signature(using, names, complete),
    "tpp-signature-certificate": using.certificate.raw.toString("base64"),
  };
}

function encodedPart(part: string): string {
  const at = part.indexOf("=");
  return `${part.slice(0, at)}=${encodeURIComponent(part.slice(at + 1))}`;
}
