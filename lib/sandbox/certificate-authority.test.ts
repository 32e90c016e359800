import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addTime as later } from "@/lib/domain/values";
import { checkQwac } from "@/lib/eidas/qwac-qsealc";
import { parseTrustAnchors } from "@/lib/eidas/trust";
import { type CertificateAuthority, loadCertificateAuthority } from "./certificate-authority";
import { loadServerCertificate } from "./server-certificate";
import { nextKeys } from "./testing";
import { issueTppCertificates } from "./tpp-certificates";

const certificatesIn = (pem: string) => pem.split(/(?<=-----END CERTIFICATE-----\n)/);

describe("the sandbox CA", () => {
  const now = new Date("2027-03-01T12:00:00.000Z");
  let data: string;
  let directory: string;
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), "drawbridge-ca-"));
    directory = join(data, "made", "ca");
  });
  afterEach(() => rm(data, { recursive: true }));

  describe("the sandbox CA", () => {
    it("is made once and loaded again", async () => {
      const made = await loadCertificateAuthority(directory, now);
      const found = await loadCertificateAuthority(directory, later(now, 1, "day"));
      expect(found.certificatePem).toBe(made.certificatePem);
      expect((await readdir(directory)).sort()).toEqual(["ca.key", "ca.pem"]);
    });

    it("keeps its key for its owner only", async () => {
      await loadCertificateAuthority(directory, now);
      expect((await stat(join(directory, "ca.key"))).mode & 0o777).toBe(0o600);
    });

    it("is a trust anchor for ten years", async () => {
      const { certificatePem } = await loadCertificateAuthority(directory, now);
      const [anchor] = parseTrustAnchors(certificatePem);
      expect(anchor?.isAuthority).toBe(true);
      expect(anchor?.notAfter).toEqual(later(now, 3_653, "day"));
    });

    it("is the same for all processes that start at once", async () => {
      const loaded = await Promise.all(
        Array.from({ length: 8 }, () => loadCertificateAuthority(directory, now)),
      );
      const kept = await readFile(join(directory, "ca.pem"), "utf8");
      expect(new Set(loaded.map(({ certificatePem }) => certificatePem))).toEqual(new Set([kept]));
      expect(await readdir(join(data, "made"))).toEqual(["ca"]);
      const key = await readFile(join(directory, "ca.key"), "utf8");
      expect(new X509Certificate(kept).checkPrivateKey(createPrivateKey(key))).toBe(true);
    });
  });

  describe("a sandbox CA that cannot be loaded is reported in one sentence, and never replaced", () => {
    it.each([
      ["ca.key", "lacks ca.key"],
      ["ca.pem", "lacks ca.pem"],
    ])("without %s", async (file, words) => {
      await loadCertificateAuthority(directory, now);
      await rm(join(directory, file));
      await expect(loadCertificateAuthority(directory, now)).rejects.toThrow(
        new Error(`sandbox CA: ${directory} ${words}`),
      );
      expect(await readdir(join(data, "made"))).toEqual(["ca"]);
    });

    it("with an invalid key", async () => {
      await loadCertificateAuthority(directory, now);
      await writeFile(join(directory, "ca.key"), "");
      await expect(loadCertificateAuthority(directory, now)).rejects.toThrow(
        new Error(`sandbox CA: ${directory} is unreadable`),
      );
    });
  });
});

describe("an old data folder keeps a valid CA certificate", () => {
  const now = new Date("2027-03-01T12:00:00.000Z");
  const inYears = (years: number) => later(now, years * 365, "day");
  const organisation = { id: "PSDRO-NBR-1234567", name: "Tpp", roles: ["PSP_AI"] } as const;

  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "drawbridge-old-"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const ca = () => join(directory, "ca");
  const load = (at: Date) => loadCertificateAuthority(ca(), at);
  const own = ({ certificatePem }: CertificateAuthority) => new X509Certificate(certificatePem);

  async function qwacOf(authority: CertificateAuthority, at: Date): Promise<Buffer> {
    const { qwacPem } = await issueTppCertificates(authority, {
      ...organisation,
      now: at,
      makeKeys: nextKeys,
    });
    return new X509Certificate(qwacPem).raw;
  }

  it("the CA stays as it is for seven years", async () => {
    const made = await load(now);
    expect((await load(later(now, 3_653 - 1_096, "day"))).certificatePem).toBe(made.certificatePem);
    expect((await load(later(now, 3_653 - 1_095, "day"))).certificatePem).not.toBe(
      made.certificatePem,
    );
  });

  it.each([9, 10, 12, 40])(
    "after %i years it is renewed, with the same name and key",
    async (years) => {
      const former = own(await load(now));
      const at = inYears(years);
      const renewed = await load(at);
      expect(own(renewed).subject).toBe(former.subject);
      expect(own(renewed).publicKey.equals(former.publicKey)).toBe(true);
      expect(own(renewed).serialNumber).not.toBe(former.serialNumber);
      expect(Date.parse(own(renewed).validTo)).toBeGreaterThan(inYears(years + 9).getTime());
      const key = createPrivateKey(await readFile(join(ca(), "ca.key")));
      expect(own(renewed).checkPrivateKey(key)).toBe(true);
      expect((await readdir(ca())).toSorted()).toEqual(["ca.key", "ca.pem"]);
      expect((await load(at)).certificatePem).toBe(renewed.certificatePem);
    },
  );

  it.each([9, 10, 12])(
    "after %i years it issues certificates that are trusted at once",
    async (years) => {
      await load(now);
      const at = inYears(years);
      const renewed = await load(at);
      const anchors = parseTrustAnchors(renewed.certificatePem);
      expect(checkQwac(await qwacOf(renewed, at), anchors, at).tpp.id).toBe(organisation.id);
    },
  );

  it("certificates of the former CA certificate are trusted with the renewed one, and the reverse", async () => {
    const former = await load(now);
    const at = inYears(9);
    const late = await qwacOf(former, later(at, -1, "day"));
    const renewed = await load(at);
    const [first] = certificatesIn(renewed.certificatePem);
    expect(checkQwac(late, parseTrustAnchors(String(first)), at).tpp.id).toBe(organisation.id);
    const renewedOne = await qwacOf(renewed, at);
    expect(checkQwac(renewedOne, parseTrustAnchors(former.certificatePem), at).tpp.id).toBe(
      organisation.id,
    );
  });

  it("the former certificate stays in ca.pem behind the renewed one until it ends", async () => {
    const former = await load(now);
    const both = certificatesIn((await load(inYears(9))).certificatePem);
    expect(both).toHaveLength(2);
    expect(both[1]).toBe(former.certificatePem);
    expect(certificatesIn((await load(inYears(17))).certificatePem)).toHaveLength(2);
    expect(certificatesIn((await load(inYears(30))).certificatePem)).toHaveLength(1);
  });

  it("all processes that renew at once keep one key", async () => {
    const former = own(await load(now));
    const loaded = await Promise.all(Array.from({ length: 8 }, () => load(inYears(10))));
    const kept = own(await load(inYears(10)));
    for (const x509 of [kept, ...loaded.map(own)]) {
      expect(x509.publicKey.equals(former.publicKey)).toBe(true);
    }
    expect((await readdir(ca())).toSorted()).toEqual(["ca.key", "ca.pem"]);
  });

  it.each([9, 10, 12])("after %i years the TPP host has a valid TLS certificate", async (years) => {
    const file = join(directory, "tls.pem");
    const made = await loadServerCertificate(await load(now), { file, host: "localhost", now });
    const at = inYears(years);
    const authority = await load(at);
    const renewedOne = await loadServerCertificate(authority, { file, host: "localhost", now: at });
    expect(renewedOne.cert).not.toBe(made.cert);
    const x509 = new X509Certificate(renewedOne.cert);
    expect(Date.parse(x509.validTo)).toBeGreaterThan(later(at, 30, "day").getTime());
    expect(x509.verify(own(authority).publicKey)).toBe(true);
  });
});
