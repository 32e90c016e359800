import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from "node:crypto";
import { expect } from "vitest";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import type { Psd2Role } from "@/lib/domain/tpp";
import { readCertificate } from "@/lib/eidas/certificate";
import { formatClientCert } from "@/lib/eidas/client-certificate";
import { checkQwac, type Qwac } from "@/lib/eidas/qwac-qsealc";
import { parseTrustAnchors, type TrustAnchors } from "@/lib/eidas/trust";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { nextKeys } from "@/lib/sandbox/testing";
import {
  issueTppCertificates,
  qsealParts,
  qwacParts,
  type TppCertificates,
} from "@/lib/sandbox/tpp-certificates";
import { type Issuer, issueCertificate, privateKeyPem } from "@/lib/sandbox/x509";
import type { Xs2aPorts } from "../declaration";
import { refusalLog } from "../refusal-events";

export const now = new Date("2026-11-20T10:00:00Z");
export const requestId = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";
const authority = makeCertificateAuthority(now);

export async function certificatesOf(
  id = "PSDRO-NBR-1234567",
  roles: readonly Psd2Role[] = ["PSP_AI"],
): Promise<TppCertificates> {
  const request = { id, name: "Example TPP", roles, now, makeKeys: nextKeys };
  return issueTppCertificates(await authority, request);
}

export const links = {
  aisp: "https://bank.example/open-banking/v3.1/aisp/v1",
  pisp: "https://bank.example/open-banking/v3.1/pisp/v1",
  cbpii: "https://bank.example/open-banking/v3.1/cbpii",
  scaOAuth: "https://bank.example/.well-known/oauth-authorization-server",
  errors: "https://online.bank.example/docs/errors",
};

export async function portsOf(): Promise<Xs2aPorts> {
  const { ports } = inMemoryBank();
  return {
    ...ports,
    trustAnchors: parseTrustAnchors((await authority).certificatePem),
    revocation: { check: async () => "good" },
    certificates: { note: () => undefined },
    refusals: refusalLog(ports.events, () => undefined),
    refusedRequestLog: { note: () => undefined },
    attendedReads: { note: () => undefined },
    accessTokens: { read: async () => undefined },
    links,
    cursorSecret: "a secret of at least thirty-two characters",
    sandbox: true,
    notifies: true,
    redirectUriDomainCheck: "warn",
  };
}

type Sent = {
  readonly method?: string;
  readonly url?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are removed after signing. */
  readonly without?: readonly string[];
  /** Headers that are set after signing. */
  readonly forged?: Readonly<Record<string, string>>;
  readonly signed?: readonly string[];
};

/** A valid signed request, then changed as given. */
export function signedRequest(own: TppCertificates, sent: Sent = {}): Request {
  const { body = "" } = sent;
  const plain: Record<string, string> = {
    "x-request-id": requestId,
    date: now.toUTCString(),
    digest: `SHA-256=${sha256(body)}`,
    ...(body === "" ? {} : { "content-type": "application/json" }),
    ...sent.headers,
  };
  const names = sent.signed ?? coveredBy(plain);
  const seal = new X509Certificate(own.qsealPem);
  const text = names.map((name) => `${name}: ${plain[name]}`).join("\n");
  const value = sign("sha256", Buffer.from(text), createPrivateKey(own.qsealKeyPem));
  const issuer = seal.issuer.split("\n").reverse().join(",");
  const headers = new Headers({
    ...plain,
    signature: `keyId="SN=${seal.serialNumber},CA=${encodeURI(issuer)}",algorithm="rsa-sha256",headers="${names.join(" ")}",signature="${value.toString("base64")}"`,
    "tpp-signature-certificate": seal.raw.toString("base64"),
    "client-cert": formatClientCert(new X509Certificate(own.qwacPem).raw),
    ...sent.forged,
  });
  for (const name of sent.without ?? []) headers.delete(name);
  const url = sent.url ?? "https://bank.example/open-banking/v3.1/aisp/v1/consents";
  const method = sent.method ?? (body === "" ? "GET" : "POST");
  return new Request(url, body === "" ? { method, headers } : { method, headers, body });
}

function coveredBy(headers: Readonly<Record<string, string>>): readonly string[] {
  const whenSent = ["psu-id", "psu-corporate-id", "tpp-redirect-uri"];
  return ["digest", "x-request-id", "date", ...whenSent.filter((name) => name in headers)];
}

type Seal = { readonly der: Uint8Array; readonly key: KeyObject };
type SealName = "rsa" | "ec" | "ec384" | "otherTpp" | "expired" | "unknownIssuer" | "qwac";

/** A TPP with seals of every kind, good and bad, whose serial numbers are always the same. */
export type SealingTpp = {
  readonly anchors: TrustAnchors;
  readonly qwac: Qwac;
  readonly clientCert: string;
  readonly seals: Readonly<Record<SealName, Seal>>;
};

/** As they stand in keyId; the RSA seal's and the QWAC's. */
export const SERIAL = "5A7B9C01";
export const QWAC_SERIAL = "5A7B9C99";
export const ISSUER = "CN=Drawbridge Sandbox CA,O=Drawbridge Sandbox,C=RO";

const request = { id: "PSDRO-NBR-1234567", name: "Example TPP", roles: ["PSP_AI"], now } as const;
const aDay = 86_400_000;

export async function makeSealingTpp(): Promise<SealingTpp> {
  const [authority, unknown] = await Promise.all([
    makeCertificateAuthority(now),
    makeCertificateAuthority(now),
  ]);
  const keys = await nextKeys();
  const rsa = createPrivateKey(await privateKeyPem(keys.privateKey));
  const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve });
  const [p256, p384] = [ec("P-256"), ec("P-384")];
  const own = qsealParts(request, keys.publicKey);
  const other = qsealParts({ ...request, id: "PSDRO-NBR-8" }, keys.publicKey);
  const web = qwacParts(request, keys.publicKey);
  const yesterday = {
    notBefore: new Date(now.getTime() - 2 * aDay),
    notAfter: new Date(now.getTime() - aDay),
  };
  const issue = async (issuer: Issuer, parts: typeof own, serialNumber: string) =>
    new Uint8Array((await issueCertificate(issuer, { ...parts, serialNumber })).rawData);
  const qwac = await issue(authority, web, QWAC_SERIAL);
  const anchors = parseTrustAnchors(authority.certificatePem);
  return {
    anchors,
    qwac: checkQwac(qwac, anchors, now),
    clientCert: formatClientCert(qwac),
    seals: {
      rsa: { der: await issue(authority, own, SERIAL), key: rsa },
      ec: {
        der: await issue(authority, { ...own, publicKey: spki(p256) }, "5A7B9C02"),
        key: p256.privateKey,
      },
      ec384: {
        der: await issue(authority, { ...own, publicKey: spki(p384) }, "5A7B9C03"),
        key: p384.privateKey,
      },
      otherTpp: { der: await issue(authority, other, "5A7B9C04"), key: rsa },
      expired: { der: await issue(authority, { ...own, ...yesterday }, "5A7B9C05"), key: rsa },
      unknownIssuer: { der: await issue(unknown, own, SERIAL), key: rsa },
      qwac: { der: qwac, key: rsa },
    },
  };
}

function spki({ publicKey }: { readonly publicKey: KeyObject }): Uint8Array<ArrayBuffer> {
  return new Uint8Array(publicKey.export({ type: "spki", format: "der" }));
}

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
  /** Headers that are set or removed after signing. */
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

export const own = await certificatesOf();
export const seal = readCertificate(new X509Certificate(own.qsealPem).raw);
export const invalid = (text = "") => ({
  status: 401,
  faults: [{ code: "SIGNATURE_INVALID", text: expect.stringContaining(text) }],
});
export const thrown = (call: () => unknown) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
};
