import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeCertificates, ownCertificates } from "./certificates";

const now = new Date("2027-03-01T12:00:00.000Z");
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "drawbridge-own-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dataDir, { recursive: true });
});

const until = (pem: string) => Date.parse(new X509Certificate(pem).validTo);

describe("a TPP's own certificates", () => {
  it("are kept until 30 days before their end, then made anew", async () => {
    const made = await ownCertificates(dataDir, now);
    expect(await ownCertificates(dataDir, days(699))).toEqual(made);
    const anew = await ownCertificates(dataDir, days(701));
    expect(until(anew.qwac.pem)).toBeGreaterThan(until(made.qwac.pem));
    expect(until(anew.qseal.pem)).toBeGreaterThan(until(made.qseal.pem));
    expect(anew.ca).toBe(made.ca);
  });

  it("are made anew when the CA answers for its certificates at another address", async () => {
    const made = await ownCertificates(dataDir, now);
    vi.stubEnv("WEB_URL", "http://localhost:4000");
    const anew = await ownCertificates(dataDir, now);
    expect(anew.qwac.pem).not.toBe(made.qwac.pem);
    expect(new X509Certificate(anew.qwac.pem).infoAccess).toContain(
      "http://localhost:4000/sandbox/ocsp",
    );
    expect(await ownCertificates(dataDir, now)).toEqual(anew);
  });

  it("are made anew when one of the two does not say where the CA answers", async () => {
    const made = await ownCertificates(dataDir, now);
    vi.stubEnv("WEB_URL", "http://localhost:4000");
    const organisation = { id: "PSDRO-NBR-1234567", name: "Tpp", roles: ["PSP_AI"] } as const;
    const other = await makeCertificates(dataDir, organisation, { now });
    vi.unstubAllEnvs();
    await writeFile(join(dataDir, "tpp", "qseal.pem"), other.qseal.pem);
    const anew = await ownCertificates(dataDir, now);
    expect([made.qseal.pem, other.qseal.pem]).not.toContain(anew.qseal.pem);
  });

  it.each([9, 10, 12])("after %i years they are of the renewed CA", async (years) => {
    const made = await ownCertificates(dataDir, now);
    const late = days(years * 365);
    const anew = await ownCertificates(dataDir, late);
    const ca = new X509Certificate(anew.ca);
    expect(ca.publicKey.equals(new X509Certificate(made.ca).publicKey)).toBe(true);
    expect(anew.ca).toBe(await readFile(join(dataDir, "ca", "ca.pem"), "utf8"));
    for (const { pem } of [anew.qwac, anew.qseal]) {
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
