import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import tls from "node:tls";
import { expect, it, onTestFinished, vi } from "vitest";
import { authentication } from "@/lib/bank-api/authenticate";
import { type Config, readSettings } from "@/lib/config";
import { coreBankTls } from "@/lib/core-bank/connect";
import { identityProvider } from "@/lib/identity/identity-provider";
import { log } from "@/lib/log";
import { freePort } from "./embedded-database";
import { brokenTppRequest } from "./fault-answer";
import { listen, type Tls } from "./listeners";
import { echo, makeTestCertificates, temporaryFolder } from "./testing";
import { bankApiTlsOf, startTlsRenewal, tlsOf } from "./tls";

/** Connects, and says which certificate the host has shown. */
async function connected(port: number) {
  const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  onTestFinished(() => void socket.destroy());
  await once(socket, "secureConnect");
  return { socket, shown: socket.getPeerX509Certificate()?.serialNumber };
}
const serial = ({ cert }: Tls) => new X509Certificate(cert).serialNumber;

it("a running host shows the renewed certificate to new connections, and keeps the open ones", async () => {
  const [{ server: former }, { server: renewed }] = [
    await makeTestCertificates(),
    await makeTestCertificates(),
  ];
  const port = await freePort(0);
  const host = { setting: "XS2A_PORT", port, loopbackOnly: true, handle: echo } as const;
  const listener = await listen({ ...host, tls: former, broken: brokenTppRequest });
  onTestFinished(() => listener.close(0));
  const before = await connected(port);
  listener.renew(renewed);
  const after = await connected(port);
  expect([before.shown, after.shown]).toEqual([serial(former), serial(renewed)]);
  before.socket.write("GET /jwks HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [answer] = (await once(before.socket, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
});

it("a running host shows a certificate whose files were replaced, and none whose key does not fit", async () => {
  const folder = await temporaryFolder();
  const [{ server: former }, { server: next }] = [
    await makeTestCertificates(),
    await makeTestCertificates(),
  ];
  const [cert, key] = [path.join(folder, "cert"), path.join(folder, "key")];
  await Promise.all([writeFile(cert, former.cert), writeFile(key, former.key)]);
  const settings = readSettings({ XS2A_TLS_CERT: cert, XS2A_TLS_KEY: key });
  const named = await tlsOf(settings, new Date());
  if (named === undefined) throw new Error("no proxy speaks TLS here");
  const port = await freePort(0);
  const host = { setting: "XS2A_PORT", port, loopbackOnly: true, handle: echo } as const;
  const listener = await listen({ ...host, tls: named.tls, broken: brokenTppRequest });
  onTestFinished(() => listener.close(0));
  const renewal = startTlsRenewal(listener, named);
  onTestFinished(() => renewal.finish());
  const refused = vi.spyOn(log, "error").mockImplementation(() => undefined);
  onTestFinished(() => refused.mockRestore());
  const waiting = { timeout: 30_000, interval: 100 };
  await writeFile(cert, next.cert);
  await vi.waitFor(() => expect(refused).toHaveBeenCalled(), waiting);
  expect((await connected(port)).shown).toBe(serial(former));
  await writeFile(key, next.key);
  await vi.waitFor(async () => expect((await connected(port)).shown).toBe(serial(next)), waiting);
});

const ofAnotherKind = () =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();

it.each<
  readonly [
    what: string,
    changed: (files: Readonly<Record<"cert" | "key" | "ca", string>>) => object,
  ]
>([
  ["an empty certificate", (files) => ({ ...files, cert: "" })],
  ["an empty key", (files) => ({ ...files, key: "" })],
  ["a key of another kind", (files) => ({ ...files, key: ofAnotherKind() })],
  ["an empty authority, which would be every public one", (files) => ({ ...files, ca: "" })],
])("refused, also while it is being written, is %s", async (_what, changed) => {
  const { server } = await makeTestCertificates();
  const folder = await temporaryFolder();
  const texts = { cert: server.cert, key: server.key, ca: server.cert };
  const named = (name: string) => path.join(folder, name);
  const write = (files: object) =>
    Promise.all(Object.entries(files).map(([name, text]) => writeFile(named(name), text)));
  const [cert, key, ca] = [named("cert"), named("key"), named("ca")];
  const settings = {
    ...readSettings({}),
    ...{ BANK_API_TLS_CERT: cert, BANK_API_TLS_KEY: key, BANK_API_CLIENT_CA: ca },
    ...{ CORE_BANK_TLS_CERT: cert, CORE_BANK_TLS_KEY: key, CORE_BANK_TLS_CA: ca },
  };
  const shown = () => bankApiTlsOf(settings, new Date());
  await write(texts);
  await expect(shown()).resolves.toMatchObject({ tls: { clientCa: server.cert } });
  expect(coreBankTls(settings)).toEqual(texts);
  await write(changed(texts));
  await expect(shown()).rejects.toThrow(/^BANK_API_/);
  expect(() => coreBankTls(settings)).toThrow();
});

it.each([
  [
    "IDP_CA",
    (settings: Config) =>
      identityProvider(
        { ...settings, IDP_ISSUER: "https://login.example", IDP_CLIENT_ID: "drawbridge" },
        () => undefined,
      ),
  ],
  [
    "BANK_API_JWKS_CA",
    (settings: Config) =>
      authentication({
        ...{ ...settings, BANK_API_ISSUER: "https://login.example", BANK_API_AUDIENCE: "bank" },
        BANK_API_JWKS_URL: "https://login.example/jwks",
      }),
  ],
])("an empty %s, which would be every public authority, is refused", async (name, open) => {
  const file = path.join(await temporaryFolder(), "ca");
  const none = { CODE_SECRET: "", COOKIE_SECRET: "", SESSION_SECRET: "", TOKEN_SIGNING_KEY: "" };
  const settings: Config = {
    ...{ ...readSettings({}), ...none, DATABASE_URL: "", TRUST_ANCHORS: "" },
    [name]: file,
  };
  await writeFile(file, (await makeTestCertificates()).server.cert);
  expect(() => open(settings)).not.toThrow();
  await writeFile(file, "");
  expect(() => open(settings)).toThrow();
});

it("what is looked up again and again is handed over when it is another", async () => {
  const [first, second] = ["first", "second"].map((cert) => ({ cert, key: "" })) as [Tls, Tls];
  const found = [first, first, second, second, second];
  const shown: Tls[] = [];
  const lookedUp: Date[] = [];
  const renewal = startTlsRenewal(
    { renew: (one) => void shown.push(one) },
    { renewedTls: async (now) => found[lookedUp.push(now) - 1] ?? second, files: [] },
    0,
  );
  await vi.waitFor(() => expect(lookedUp.length).toBeGreaterThan(found.length), {
    timeout: 30_000,
  });
  await renewal.finish();
  expect(shown).toEqual([first, second]);
});
