import { randomBytes, X509Certificate } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { type Making, makeCertificates, type TppCertificates } from "@/cli/tpp/certificates";
import { nextKeys } from "@/lib/sandbox/testing";
import { freshSettings, type ServerSettings, startServer } from "./server";
import { test as base, expect } from "./test";

export { expect };

export const secret = randomBytes(32).toString("hex");
export const organisation = {
  id: "PSDRO-NBR-2000002",
  name: "Behind TPP",
  roles: ["PSP_AI"],
} as const;

type Defect = NonNullable<Making["withDefect"]>["defect"];
/** OpenSSL in the proxies sees nearly all of them too, and has to leave the answer to the bank. */
const defects = [
  "expired",
  "not-yet-valid",
  "revoked",
  "self-signed",
  "unknown-ca",
  "ca-as-leaf",
  "no-client-auth",
  "critical-extension",
  "qseal-as-qwac",
  "wrong-role",
] as const satisfies readonly Defect[];

type Proxied = {
  /** A bank that leaves TLS to a proxy in front of it: `xs2aUrl` is the proxy's, `xs2aPort` its own. */
  readonly bank: ServerSettings;
  /** QWACs of one TPP, each with a defect. */
  readonly faulty: Readonly<Record<(typeof defects)[number], TppCertificates>>;
};

export const test = base.extend<object, Proxied>({
  bank: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), "drawbridge-proxy-"));
      const outside = await freshSettings(dataDir);
      const { xs2aPort } = await freshSettings(dataDir);
      const shared = {
        CLIENT_CERTIFICATE: "proxy",
        PROXY_PEERS: "127.0.0.1,::1",
        PROXY_SECRET: secret,
      };
      const settings = { ...outside, xs2aPort, shared };
      const server = await startServer(settings);
      await use(settings);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],
  faulty: [
    async ({ bank }, use) => {
      const making = defects.map(async (defect) => {
        const withDefect = { defect, in: "qwac" } as const;
        return [
          defect,
          await makeCertificates(bank.dataDir, organisation, { withDefect, makeKeys: nextKeys }),
        ];
      });
      await use(Object.fromEntries(await Promise.all(making)) as Proxied["faulty"]);
    },
    { scope: "worker", timeout: 300_000 },
  ],
});

/** Where TPPs find the proxy. */
export function portOf({ xs2aUrl }: ServerSettings): number {
  return Number(new URL(xs2aUrl).port);
}

/** For a TLS connection with this QWAC. */
export function identity({ qwac }: TppCertificates): ConnectionOptions {
  return { cert: qwac.pem, key: qwac.key };
}

/** How either proxy would forward a stolen certificate. */
export function claims({ qwac }: TppCertificates): readonly string[] {
  const certificate = new X509Certificate(qwac.pem);
  return [`:${certificate.raw.toString("base64")}:`, encodeURIComponent(certificate.toString())];
}

/** How to send that past a proxy, in lines of a request's head. */
export function smuggled(claim: string): readonly (readonly string[])[] {
  return [
    [`Client-Cert: ${claim}`],
    [`client-cert: ${claim}`, `CLIENT-CERT: ${claim}`, `X-Proxy-Secret: ${secret}`],
    [`Client_Cert: ${claim}`, `X_Proxy_Secret: ${secret}`],
    [`Client-Cert : ${claim}`],
    [`Client-Cert:\r\n ${claim}`],
    [`Accept: */*\r\n Client-Cert: ${claim}`],
    [`Client-Cert: ${claim}`, "Connection: client-cert, x-proxy-secret"],
    ["Transfer-Encoding: chunked", "Trailer: Client-Cert\r\n\r\n0", `Client-Cert: ${claim}`],
  ];
}
