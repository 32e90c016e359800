import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { seal } from "@/clients/typescript/src";
import { nextKeys } from "@/lib/sandbox/testing";
import {
  clientId,
  makeCertificates as makeWith,
  ownCertificates as ownWith,
  readCertificates,
  writeCertificates,
} from "./certificates";

/** With test keys: to generate RSA keys takes most of the time. */
const ownCertificates = (folder: string, at?: Date) => ownWith(folder, at, { makeKeys: nextKeys });
const makeCertificates: typeof makeWith = (folder, whose, making) =>
  makeWith(folder, whose, { makeKeys: nextKeys, ...making });
const organisation = { id: "PSDRO-NBR-7654321", name: "Test TPP", roles: ["PSP_AI"] } as const;
const now = new Date("2027-03-01T12:00:00.000Z");
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
const until = (pem: string) => Date.parse(new X509Certificate(pem).validTo);

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "drawbridge-tpp-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dataDir, { recursive: true });
});

describe("the certificates of a TPP", () => {
  it("are a QWAC and a QSealC of the sandbox CA that name the organisation", async () => {
    const made = await makeCertificates(dataDir, organisation);
    const ca = new X509Certificate(made.ca);
    for (const { pem } of [made.qwac, made.qseal]) {
      expect(new X509Certificate(pem).verify(ca.publicKey)).toBe(true);
    }
    expect(clientId(made)).toBe(organisation.id);
    expect(seal(made.qseal.pem, made.qseal.key).key.asymmetricKeyType).toBe("rsa");
  });

  it("are written with keys that nobody else may read, also over files of a wider mode", async () => {
    const dir = join(dataDir, "out");
    const made = await makeCertificates(dataDir, organisation);
    await writeCertificates(dir, made);
    await writeFile(join(dir, "qwac.key"), "", { mode: 0o644 });
    await writeCertificates(dir, made);
    for (const name of ["qwac.key", "qseal.key"]) {
      expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600);
    }
    expect(await readCertificates(dir)).toEqual(made);
  });
});

describe("a TPP's own certificates", () => {
  it("are made once, and again when the CA is another", async () => {
    const [first, second] = [await ownCertificates(dataDir), await ownCertificates(dataDir)];
    expect(second).toEqual(first);
    await rm(join(dataDir, "ca"), { recursive: true });
    const third = await ownCertificates(dataDir);
    expect(third.ca).not.toBe(first.ca);
    expect(third.qwac.pem).not.toBe(first.qwac.pem);
  });

  it("are kept until 30 days before their end, then made again", async () => {
    const made = await ownCertificates(dataDir, now);
    expect(await ownCertificates(dataDir, days(699))).toEqual(made);
    const renewed = await ownCertificates(dataDir, days(701));
    expect(until(renewed.qwac.pem)).toBeGreaterThan(until(made.qwac.pem));
    expect(until(renewed.qseal.pem)).toBeGreaterThan(until(made.qseal.pem));
    expect(renewed.ca).toBe(made.ca);
  });

  it("are made again when the CA answers for its certificates at another address", async () => {
    const made = await ownCertificates(dataDir, now);
    vi.stubEnv("WEB_URL", "http://localhost:4000");
    const renewed = await ownCertificates(dataDir, now);
    expect(renewed.qwac.pem).not.toBe(made.qwac.pem);
    expect(new X509Certificate(renewed.qwac.pem).infoAccess).toContain(
      "http://localhost:4000/sandbox/ocsp",
    );
    expect(await ownCertificates(dataDir, now)).toEqual(renewed);
  });

  it("are made again when one of the two does not say where the CA answers", async () => {
    const made = await ownCertificates(dataDir, now);
    vi.stubEnv("WEB_URL", "http://localhost:4000");
    const other = await makeCertificates(dataDir, organisation, { now });
    vi.unstubAllEnvs();
    await writeFile(join(dataDir, "tpp", "qseal.pem"), other.qseal.pem);
    const renewed = await ownCertificates(dataDir, now);
    expect([made.qseal.pem, other.qseal.pem]).not.toContain(renewed.qseal.pem);
  });

  it.each([9, 10, 12])("after %i years they are of the renewed CA", async (years) => {
    const made = await ownCertificates(dataDir, now);
    const late = days(years * 365);
    const renewed = await ownCertificates(dataDir, late);
    const ca = new X509Certificate(renewed.ca);
    expect(ca.publicKey.equals(new X509Certificate(made.ca).publicKey)).toBe(true);
    expect(renewed.ca).toBe(await readFile(join(dataDir, "ca", "ca.pem"), "utf8"));
    for (const { pem } of [renewed.qwac, renewed.qseal]) {
      expect(new X509Certificate(pem).verify(ca.publicKey)).toBe(true);
      expect(until(pem)).toBeGreaterThan(late.getTime());
      expect(until(pem)).toBeLessThan(Date.parse(ca.validTo));
    }
  });

  it("come with the CA's certificate of today: a former one would end before they do", async () => {
    const former = await ownCertificates(dataDir, now);
    const late = days(8 * 365);
    const renewed = await ownCertificates(dataDir, late);
    await writeFile(join(dataDir, "tpp", "ca.pem"), former.ca);
    expect((await ownCertificates(dataDir, late)).ca).toBe(renewed.ca);
    expect(renewed.ca).not.toBe(former.ca);
  });
});
