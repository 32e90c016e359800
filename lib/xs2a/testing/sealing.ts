import { createHash, type KeyObject, sign, X509Certificate } from "node:crypto";
import { ISSUER, type SealingTpp, type SealName } from "./sealing-tpp";
import { now, requestId } from "./tpp";

export type Line = readonly [name: string, value: string];

/** How one TPP differs from a careful one, in the order in which a request is made. */
export type Sealing = {
  /** Whose key signs, and which certificate comes along. */
  readonly seal?: SealName;
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  /** Set before it is signed; a digest of its own among them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is signed, in its order; everything that must be when not given. */
  readonly covered?: readonly string[];
  /** The text that is signed, of the lines it should have. */
  readonly text?: (lines: readonly Line[]) => string;
  readonly sign?: (text: Buffer, key: KeyObject) => Buffer;
  readonly encode?: (signature: Buffer) => string;
  readonly keyId?: string;
  readonly algorithm?: string;
  /** The parameter `headers`; the names that were signed when not given. */
  readonly list?: string;
  /** The finished Signature header, changed. */
  readonly rewritten?: (header: string) => string;
  readonly certificate?: (der: Uint8Array) => string;
  /** Set when all is signed, or left away. */
  readonly afterwards?: Readonly<Record<string, string | undefined>>;
};

export function sha256(body: string | Uint8Array, encoding: "base64" | "hex" = "base64"): string {
  return createHash("sha256").update(body).digest(encoding);
}

export function sha512(body: string | Uint8Array): string {
  return createHash("sha512").update(body).digest("base64");
}

/** The request as it arrives. */
export function sealedRequest(tpp: SealingTpp, sealing: Sealing = {}): Request {
  const { body = "", path = "/v1/consents", method = body === "" ? "GET" : "POST" } = sealing;
  const plain: Readonly<Record<string, string>> = {
    "x-request-id": requestId,
    date: now.toUTCString(),
    digest: `SHA-256=${sha256(body)}`,
    "client-cert": tpp.clientCert,
    ...(body === "" ? {} : { "content-type": "application/json" }),
    ...sealing.headers,
  };
  const { der } = tpp.seals[sealing.seal ?? "rsa"];
  const { certificate = (bytes) => Buffer.from(bytes).toString("base64") } = sealing;
  const target = `${method.toLowerCase()} ${path}`;
  const headers = new Headers({
    ...plain,
    signature: signatureHeader(tpp, sealing, { ...plain, "(request-target)": target }),
    "tpp-signature-certificate": certificate(der),
  });
  for (const [name, value] of Object.entries(sealing.afterwards ?? {})) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, value);
  }
  const init = body === "" ? { method, headers } : { method, headers, body };
  return new Request(`https://bank.example${path}`, init);
}

function signatureHeader(
  tpp: SealingTpp,
  sealing: Sealing,
  values: Readonly<Record<string, string>>,
): string {
  const { der, key } = tpp.seals[sealing.seal ?? "rsa"];
  const isRsa = key.asymmetricKeyType === "rsa";
  const {
    covered = coveredBy(values),
    text = (lines) => lines.map(([name, value]) => `${name}: ${value}`).join("\n"),
    sign: seal = (bytes) => sign("sha256", bytes, key),
    encode = (signature) => signature.toString("base64"),
    keyId = `SN=${new X509Certificate(der).serialNumber},CA=${encodeURI(ISSUER)}`,
    algorithm = isRsa ? "rsa-sha256" : "ecdsa-sha256",
    list = covered.join(" "),
    rewritten = (header) => header,
  } = sealing;
  const lines = covered.map((name): Line => [name, values[name] ?? "nothing"]);
  const signature = encode(seal(Buffer.from(text(lines), "latin1"), key));
  return rewritten(
    `keyId="${keyId}",algorithm="${algorithm}",headers="${list}",signature="${signature}"`,
  );
}

function coveredBy(headers: Readonly<Record<string, string>>): readonly string[] {
  const whenSent = ["psu-id", "psu-corporate-id", "tpp-redirect-uri"];
  return ["digest", "x-request-id", "date", ...whenSent.filter((name) => name in headers)];
}
