import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { TppId } from "./domain/values";
import { formatClientCert } from "./eidas/client-certificate";
import { type TestDatabase, testDatabase } from "./postgres/testing";
import {
  type CertificateAuthority,
  makeCertificateAuthority,
} from "./sandbox/certificate-authority";
import { nextKeys } from "./sandbox/testing";
import { issueTppCertificates } from "./sandbox/tpp-certificates";
import type { Services } from "./services";

let database: TestDatabase;
let folder: string;
let authority: CertificateAuthority;
let services: Services;
beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), "drawbridge-services-"));
  authority = await makeCertificateAuthority(new Date());
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const [anchors, key] = [join(folder, "ca.pem"), join(folder, "token.pem")];
  await writeFile(anchors, authority.certificatePem);
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  const secret = "a secret of more than thirty-two characters";
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    TPP_REQUESTS_PER_MINUTE: "20",
    REVOCATION: "off",
    TRUST_ANCHORS: anchors,
    TOKEN_SIGNING_KEY: key,
    COOKIE_SECRET: secret,
    SESSION_SECRET: secret,
    CODE_SECRET: secret,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  services = (await import("./services")).services();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([database.close(), rm(folder, { recursive: true })]);
});

const clientCert = async (id: string) => {
  const request = { id, name: "Tpp", roles: ["PSP_PI"], now: new Date() } as const;
  const { qwacPem } = await issueTppCertificates(authority, {
    ...request,
    makeKeys: nextKeys,
  });
  return formatClientCert(new X509Certificate(qwacPem).raw);
};

async function post(path: string, certificate: string) {
  const headers = {
    "client-cert": certificate,
    "content-type": "application/x-www-form-urlencoded",
  };
  const body = "grant_type=authorization_code&code=x&token=x";
  const url = `https://localhost:8443${path}`;
  const answer = await services.authorisationServer.serve(
    new Request(url, { method: "POST", headers, body }),
  );
  const said: unknown = JSON.parse((await answer.text()) || "{}");
  return { status: answer.status, headers: answer.headers, said };
}

it.each(["/token", "/token/revocation"])(
  "X14: at %s a TPP's requests are limited too",
  async (path) => {
    const id = `PSDRO-NBR-9${path.length}`;
    const [own, others] = [await clientCert(id), await clientCert(`${id}0`)];
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(path, own)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    for (const { headers, said } of refused) {
      expect(said).toMatchObject({ error: "temporarily_unavailable" });
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(headers.get("retry-after")).toBe(headers.get("ratelimit-reset"));
      expect(headers.get("ratelimit-limit")).toBe("20");
      expect(headers.get("ratelimit-remaining")).toBe("0");
    }
    expect((await post(path, others)).status).not.toBe(429);
  },
);

it.each(["/token", "/token/revocation"])(
  "C6: at %s a blocked TPP is an invalid_client from the next call on",
  async (path) => {
    const id = `PSDRO-NBR-${path.length}` as TppId;
    const [own, others] = [await clientCert(id), await clientCert(`${id}0`)];
    const answerTo = async (certificate: string) => {
      const { status, said } = await post(path, certificate);
      return { status, said };
    };
    const blocked = {
      status: 401,
      said: {
        error: "invalid_client",
        error_description: `${id} is blocked by the bank until 2999-01-01T00:00:00.000Z`,
      },
    };
    expect(await answerTo(own)).not.toEqual(blocked);
    const now = await services.clock.now();
    const until = new Date("2999-01-01T00:00:00Z");
    await services.stopList.block({ tppId: id, reason: "fraud", blockedAt: now, until });
    expect(await answerTo(own)).toEqual(blocked);
    expect(JSON.stringify(await answerTo(others))).not.toContain("blocked");
    await services.stopList.unblock(id, now);
    expect(JSON.stringify(await answerTo(own))).not.toContain("blocked");
  },
);
