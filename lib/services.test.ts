import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { gateway, stopGateways } from "./core-bank/testing";
import type { PsuId } from "./domain/values";
import { issueDer, listXml, pem, signedList } from "./eidas/testing/issuing";
import { sandboxClock } from "./postgres/sandbox";
import { type TestDatabase, testDatabase } from "./postgres/testing";
import { authorityParts, makeCertificateAuthority } from "./sandbox/certificate-authority";
import { nextKeys } from "./sandbox/testing";
import { distinguishedName, privateKeyPem } from "./sandbox/x509";

let database: TestDatabase;
let directory: string;
beforeEach(async () => {
  database = await testDatabase();
  directory = await mkdtemp(join(tmpdir(), "drawbridge-services-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

/** The services as a fresh process would build them. */
async function servicesWith(settings: Readonly<Record<string, string>>) {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const anchors = await makeCertificateAuthority(new Date());
  const [TOKEN_SIGNING_KEY, TRUST_ANCHORS] = [join(directory, "key"), join(directory, "ca")];
  await writeFile(TOKEN_SIGNING_KEY, privateKey.export({ type: "pkcs8", format: "pem" }));
  await writeFile(TRUST_ANCHORS, anchors.certificatePem);
  const secret = "a secret of more than thirty-two characters";
  const complete = {
    DATABASE_URL: database.url,
    TRUST_ANCHORS,
    TOKEN_SIGNING_KEY,
    COOKIE_SECRET: secret,
    SESSION_SECRET: secret,
    CODE_SECRET: secret,
    ...settings,
  };
  for (const [name, value] of Object.entries(complete)) vi.stubEnv(name, value);
  vi.resetModules();
  const { services } = await import("./services");
  return services();
}

const production = {
  SANDBOX: "false",
  XS2A_URL: "https://xs2a.bank.example",
  WEB_URL: "https://bank.example",
  XS2A_TLS_CERT: "cert.pem",
  XS2A_TLS_KEY: "key.pem",
  CORE_BANK_URL: "https://core.bank.example",
  IDP_ISSUER: "https://login.bank.example",
  IDP_CLIENT_ID: "drawbridge",
  IDP_CLIENT_SECRET: "s3cret",
};
const FAR = new Date("2400-01-01T00:00:00Z");

it("are loaded before the bank's profile is read, of which a host says in one sentence that it has a mistake", async () => {
  vi.stubEnv("BANK_PROFILE", join(directory, "nowhere.yaml"));
  vi.resetModules();
  expect(Object.keys(await import("./services"))).toContain("services");
});

describe("the clock of the services", () => {
  it("in the sandbox: the database's clock, as it was moved", async () => {
    const { clock, sandboxClock: movable } = await servicesWith({ SANDBOX: "true" });
    await sandboxClock(database.db).moveTo(FAR);
    expect((await clock.now()).getTime()).toBeGreaterThanOrEqual(FAR.getTime());
    expect((await movable?.read())?.offsetMilliseconds).toBeGreaterThan(0);
  });

  it("X11: outside the sandbox the machine's, and there is none to move", async () => {
    await sandboxClock(database.db).moveTo(FAR);
    const { clock, sandboxClock: movable, namespaces } = await servicesWith(production);
    expect((await clock.now()).getTime()).toBeLessThan(FAR.getTime());
    expect(movable).toBeUndefined();
    // Without them the sandbox API is an address at which there is nothing.
    expect(namespaces).toBeUndefined();
  });
});

describe("the texts and app requests of an hour", () => {
  const provided = {
    IDP_ISSUER: production.IDP_ISSUER,
    IDP_CLIENT_ID: production.IDP_CLIENT_ID,
    IDP_CLIENT_SECRET: production.IDP_CLIENT_SECRET,
  };
  const app = { PSU_SCA: "oidc,ciba" };

  it.each([
    ["I11: bounded where an app is asked, without a gateway", { ...production, ...app }, 2],
    ["I11: bounded in such a sandbox", { SANDBOX: "true", ...provided, ...app }, 2],
    ["unbounded in a sandbox that disturbs nobody", { SANDBOX: "true" }, 3],
  ] as const)("%s", async (_what, settings, mostOfThree) => {
    const { textBudget } = await servicesWith(settings);
    const limits = { textsMax: 2, since: new Date("2026-01-01T10:00:00Z") };
    const now = new Date("2026-01-01T11:00:00Z");
    const take = () => textBudget.take("ana" as PsuId, limits, now);
    const taken = [await take(), await take(), await take()];
    expect(taken.filter(Boolean)).toHaveLength(mostOfThree);
  });
});

describe("RTS 4(4): the customer gets a text message about a block", () => {
  it("also where customers sign in at the provider, which names them by their ids alone", async () => {
    const sent: unknown[] = [];
    const SMS_GATEWAY_URL = await gateway(async (request, response) => {
      sent.push(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      response.writeHead(202).end();
    });
    const settings = { ...production, PSU_SCA: "oidc,code", SMS_GATEWAY_URL };
    const { blockNotices } = await servicesWith(settings);
    blockNotices.tell("customer 4711", "blocked", new Date("2026-01-01T11:00:00Z"));
    await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 30_000 });
    const text = expect.stringMatching(/too many wrong codes or passkeys/);
    expect(sent).toEqual([{ to: "customer 4711", text }]);
    stopGateways();
  });
});

describe("the trust anchors of the services", () => {
  it("a trusted list that was in date when the process began, whenever it is first asked", async () => {
    const keys = await nextKeys();
    const name = distinguishedName(["CN", "Scheme operator"]);
    const own = await issueDer({ name, keys }, authorityParts(name, keys, new Date()));
    const signers = join(directory, "signers");
    await writeFile(signers, pem(own));
    const xml = listXml({
      services: [{ certificate: own }],
      nextUpdate: new Date(performance.timeOrigin + 1).toISOString(),
    });
    const list = join(directory, "list");
    await writeFile(list, signedList(xml, { key: await privateKeyPem(keys.privateKey) }));
    const { trustAnchors } = await servicesWith({
      TRUST_ANCHORS: list,
      TRUSTED_LIST_SIGNERS: signers,
    });
    expect(trustAnchors).toHaveLength(1);
  });
});

describe("the connections of the services to the database", () => {
  it.each(["2", "5"])("are as many as DATABASE_CONNECTIONS says: %s", async (most) => {
    const connections = async () => {
      const rows = await database.sql<{ pid: number }[]>`
        select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`;
      return rows.map(({ pid }) => pid);
    };
    const before = await connections();
    const { clock } = await servicesWith({ SANDBOX: "true", DATABASE_CONNECTIONS: most });
    await Promise.all(Array.from({ length: 200 }, () => clock.now()));
    const made = (await connections()).filter((pid) => !before.includes(pid));
    expect(made).toHaveLength(Number(most));
  });
});
