import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clientId,
  makeCertificates,
  ownCertificates,
  readCertificates,
  writeCertificates,
} from "./certificates";
import { seal } from "./signing";

const organisation = { id: "PSDRO-NBR-7654321", name: "Test TPP", roles: ["PSP_AI"] } as const;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "drawbridge-tpp-"));
});
afterAll(() => rm(dataDir, { recursive: true }));

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

  it("are made once, and again when the CA is another", async () => {
    const [first, second] = [await ownCertificates(dataDir), await ownCertificates(dataDir)];
    expect(second).toEqual(first);
    await rm(join(dataDir, "ca"), { recursive: true });
    const third = await ownCertificates(dataDir);
    expect(third.ca).not.toBe(first.ca);
    expect(third.qwac.pem).not.toBe(first.qwac.pem);
  });
});
