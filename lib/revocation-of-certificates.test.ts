import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { copyFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Psd2Role } from "./domain/tpp";
import type { TppId } from "./domain/values";
import { formatClientCert } from "./eidas/client-certificate";
import { startIssuer, startSource, type TestIssuer } from "./eidas/testing/revocation";
import { type TestDatabase, testDatabase } from "./postgres/testing";
import { seenTpps, tppRegister } from "./postgres/tpps";
import { answerOcsp, revoke, revokedIn } from "./sandbox/certificate-status";
import { nextKeys } from "./sandbox/testing";
import { issueTppCertificates } from "./sandbox/tpp-certificates";

let database: TestDatabase;
let issuer: TestIssuer;
let place: Awaited<ReturnType<typeof startSource>>;
beforeEach(async () => {
  database = await testDatabase();
  issuer = await startIssuer(new Date());
  place = await startSource(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const revoked = await revokedIn(folder());
    const about = { revoked, now: new Date() };
    response.end(answerOcsp(Buffer.concat(chunks), issuer.signer, about));
  });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([place.stop(), issuer.close(), database.close()]);
});

const TPP = "PSDRO-NBR-1234567" as TppId;
const folder = () => join(issuer.folder, "ca");
const origin = () => new URL(place.url).origin;

/** The services as a fresh process would build them; its own sandbox CA is another than the issuer. */
async function servicesWith(settings: Readonly<Record<string, string>>) {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = join(issuer.folder, "token.pem");
  await writeFile(key, privateKey.export({ type: "pkcs8", format: "pem" }));
  // Without the CA's key beside them: it is some issuer elsewhere.
  const anchors = join(issuer.folder, "anchors.pem");
  await copyFile(issuer.own.certificate, anchors);
  const secret = "a secret of more than thirty-two characters";
  const complete = {
    DATABASE_URL: database.url,
    DATA_DIR: join(issuer.folder, "data"),
    TRUST_ANCHORS: anchors,
    TOKEN_SIGNING_KEY: key,
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

/** A TPP whose certificates name the issuer's responder. */
async function tpp(...roles: readonly Psd2Role[]) {
  const request = { id: TPP, name: "Tpp", roles, now: new Date() };
  const statusUrl = origin();
  const { qwacPem } = await issueTppCertificates(issuer.authority, {
    ...request,
    statusUrl,
    makeKeys: nextKeys,
  });
  return new X509Certificate(qwacPem);
}

/** What the token endpoint says of the certificate, or nothing when it goes on to the code. */
async function toldAtToken(settings: Readonly<Record<string, string>>, qwac: X509Certificate) {
  const { authorisationServer } = await servicesWith(settings);
  const answer = await authorisationServer.serve(
    new Request("https://localhost:8443/token", {
      method: "POST",
      headers: {
        "client-cert": formatClientCert(qwac.raw),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=authorization_code&code=x&client_id=PSDRO-NBR-1234567",
    }),
  );
  const { error_description: text } = (await answer.json()) as { error_description?: string };
  return text?.includes("revoked") === true ? { status: answer.status, text } : undefined;
}

const unknownStatus = {
  status: 401,
  text: "certificate's issuer could not tell whether it is revoked",
};

describe("C5: the token endpoint asks the issuer", () => {
  it("of the QWAC, at an origin that the settings name", async () => {
    const qwac = await tpp("PSP_AI", "PSP_PI");
    const settings = { REVOCATION_ORIGINS: origin() };
    const serialNumber = BigInt(`0x${qwac.serialNumber}`);
    const kept = {
      ...({ kind: "QWAC", thumbprint: "kept", roles: ["PSP_PI"] } as const),
      serialNumber: serialNumber.toString(16),
      issuer: qwac.issuer.replaceAll("\n", ", "),
      notAfter: new Date(qwac.validTo),
    };
    await seenTpps(database.db).keepCertificates(TPP, [kept], new Date());
    const mayPay = () => tppRegister(database.db).hasQwacFor("PSP_PI", TPP, new Date());
    expect(await toldAtToken(settings, qwac)).toBeUndefined();
    expect(place.asked()).toBe(1);
    expect(await mayPay()).toBe(true);
    await revoke(folder(), { serialNumber, at: new Date() });
    expect(await toldAtToken(settings, qwac)).toEqual({
      status: 401,
      text: "certificate has been revoked by its issuer",
    });
    await expect.poll(mayPay).toBe(false);
  });

  it("X6: not in a private network, unless the settings name it", async () => {
    expect(await toldAtToken({}, await tpp("PSP_AI"))).toEqual(unknownStatus);
    expect(place.asked()).toBe(0);
  });

  it.each([
    ["hard", ["PSP_AI"], unknownStatus],
    ["soft", ["PSP_AI", "PSP_IC"], undefined],
    ["soft", ["PSP_AI", "PSP_PI"], unknownStatus],
    ["off", ["PSP_PI"], undefined],
  ] as const)("REVOCATION=%s, who may %j, when nobody can tell", async (mode, roles, expected) => {
    expect(await toldAtToken({ REVOCATION: mode }, await tpp(...roles))).toEqual(expected);
  });
});

it("C5: that an unknown status was accepted is an event", async () => {
  expect(await toldAtToken({ REVOCATION: "soft" }, await tpp("PSP_AI"))).toBeUndefined();
  const events = () =>
    database.sql`select tpp_id from event where kind = 'certificate-status-unknown'`;
  await expect.poll(events).toEqual([{ tpp_id: TPP }]);
});

describe("C5: in the sandbox", () => {
  const ownIssuer = () => ({ TRUST_ANCHORS: issuer.own.certificate });

  it("certificates of its own CA are checked without asking an issuer", async () => {
    const qwac = await tpp("PSP_PI");
    expect(await toldAtToken(ownIssuer(), qwac)).toBeUndefined();
    const serialNumber = BigInt(`0x${qwac.serialNumber}`);
    await revoke(folder(), { serialNumber, at: new Date() });
    expect(await toldAtToken(ownIssuer(), qwac)).toMatchObject({ status: 401 });
    expect(place.asked()).toBe(0);
  });

  it("REVOCATION=off accepts even those", async () => {
    const qwac = await tpp("PSP_PI");
    const serialNumber = BigInt(`0x${qwac.serialNumber}`);
    await revoke(folder(), { serialNumber, at: new Date() });
    expect(await toldAtToken({ ...ownIssuer(), REVOCATION: "off" }, qwac)).toBeUndefined();
  });
});
