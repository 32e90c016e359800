import { createHash, createPrivateKey, sign, X509Certificate } from "node:crypto";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import { formatClientCert } from "@/lib/eidas/client-cert";
import { parseTrustAnchors } from "@/lib/eidas/trust";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { keysInTurn } from "@/lib/sandbox/testing-keys";
import { issueTppCertificates, type TppCertificates } from "@/lib/sandbox/tpp-certificates";
import type { Xs2aPorts } from "../ports";

export const now = new Date("2026-11-20T10:00:00Z");
export const requestId = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";
const authority = makeCertificateAuthority(now);

export async function certificatesOf(
  id = "PSDRO-NBR-1234567",
  roles: readonly Psd2Role[] = ["PSP_AI"],
): Promise<TppCertificates> {
  const request = { id, name: "Example TPP", roles, now, makeKeys: keysInTurn };
  return issueTppCertificates(await authority, request);
}

export async function portsOf(): Promise<Xs2aPorts> {
  const { ports } = inMemoryBank();
  return {
    ...ports,
    trustAnchors: parseTrustAnchors((await authority).certificatePem),
    revocation: { check: async () => "counts" },
    accessTokens: { read: async () => undefined },
    links: {
      aisp: "https://bank.example/open-banking/v3.1/aisp/v1",
      pisp: "https://bank.example/open-banking/v3.1/pisp/v1",
      cbpii: "https://bank.example/open-banking/v3.1/cbpii",
      scaOAuth: "https://bank.example/.well-known/oauth-authorization-server",
    },
    cursorSecret: "a secret of at least thirty-two characters",
    sandbox: true,
    redirectUriDomainCheck: "warn",
  };
}

type Sent = {
  readonly method?: string;
  readonly url?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that are left away after signing. */
  readonly without?: readonly string[];
  /** Headers that are set after signing. */
  readonly forged?: Readonly<Record<string, string>>;
  readonly signed?: readonly string[];
};

/** A request as a careful TPP sends it, and then spoiled as told. */
export function signedRequest(own: TppCertificates, sent: Sent = {}): Request {
  const { body = "" } = sent;
  const plain: Record<string, string> = {
    "x-request-id": requestId,
    date: now.toUTCString(),
    digest: `SHA-256=${createHash("sha256").update(body).digest("base64")}`,
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
