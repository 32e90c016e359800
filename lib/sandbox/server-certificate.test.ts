import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addTime as later } from "@/lib/domain/values";
import { type CertificateAuthority, makeCertificateAuthority } from "./certificate-authority";
import { loadServerCertificate, type ServerCertificate } from "./server-certificate";

const now = new Date("2027-03-01T12:00:00.000Z");
let directory: string;
let file: string;
let authority: CertificateAuthority;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "drawbridge-server-"));
  file = join(directory, "server.pem");
  authority = await makeCertificateAuthority(now);
});
afterEach(() => rm(directory, { recursive: true }));

const load = (at = now, host = "localhost") =>
  loadServerCertificate(authority, { file, host, now: at });

describe("the TPP host's own certificate", () => {
  it("names this machine and the host of XS2A_URL, and comes with its key", async () => {
    const { cert, key } = await load(now, "xs2a.example");
    const x509 = new X509Certificate(cert);
    const named = ["localhost", "xs2a.example"].map((host) => x509.checkHost(host));
    const addressed = ["127.0.0.1", "::1"].map((ip) => x509.checkIP(ip));
    expect([...named, ...addressed]).not.toContain(undefined);
    expect(x509.checkHost("other.example")).toBeUndefined();
    expect(x509.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(x509.verify(new X509Certificate(authority.certificatePem).publicKey)).toBe(true);
  });

  it("may be of a host that is an IPv6 address, as a URL writes it", async () => {
    const { cert } = await load(now, "[2001:db8::1]");
    expect(new X509Certificate(cert).checkIP("2001:db8::1")).toBeDefined();
  });

  it("is kept, for its owner only", async () => {
    expect(await load()).toEqual(await load());
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it("is renewed when less than 30 days remain", async () => {
    const made = await load();
    const { validTo } = new X509Certificate(made.cert);
    const thirtyDaysLeft = later(new Date(validTo), -30, "day");
    expect(await load(thirtyDaysLeft)).toEqual(made);
    const renewed = await load(later(thirtyDaysLeft, 1, "second"));
    expect(renewed).not.toEqual(made);
    expect(Date.parse(new X509Certificate(renewed.cert).validTo)).toBeGreaterThan(
      Date.parse(validTo),
    );
  });

  it("is made again for another host", async () => {
    const made = await load();
    expect(await load(now, "xs2a.example")).not.toEqual(made);
  });

  it("is made again for another CA", async () => {
    const made = await load();
    authority = await makeCertificateAuthority(now);
    expect(await load()).not.toEqual(made);
  });

  it.each<readonly [string, (own: ServerCertificate, other: ServerCertificate) => string]>([
    ["half a certificate", ({ cert }) => cert.slice(0, 100)],
    ["a certificate that is none", ({ key }) => `${key}-----BEGIN CERTIFICATE-----\n`],
    ["the key of another", ({ cert }, { key }) => key + cert],
  ])("is made again when the file holds %s", async (_name, spoil) => {
    const made = await load();
    await rm(file);
    const other = await load();
    await writeFile(file, spoil(made, other));
    const renewed = await load();
    expect([made.cert, other.cert]).not.toContain(renewed.cert);
    expect(await load()).toEqual(renewed);
  });
});
