import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { after as later } from "@/lib/domain/clock";
import { parseTrustAnchors } from "@/lib/eidas/trust";
import { loadCertificateAuthority } from "./certificate-authority";

const now = new Date("2027-03-01T12:00:00.000Z");
let data: string;
let directory: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "drawbridge-ca-"));
  directory = join(data, "made", "ca");
});
afterEach(() => rm(data, { recursive: true }));

describe("the sandbox CA", () => {
  it("is made once and taken up again", async () => {
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

  it("is one and the same for all who start at once", async () => {
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

describe("a sandbox CA that cannot be taken up is said in one sentence, and never replaced", () => {
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

  it("with a key that is none", async () => {
    await loadCertificateAuthority(directory, now);
    await writeFile(join(directory, "ca.key"), "");
    await expect(loadCertificateAuthority(directory, now)).rejects.toThrow(
      new Error(`sandbox CA: ${directory} is unreadable`),
    );
  });
});
