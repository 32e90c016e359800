import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addTime } from "@/lib/domain/values";
import { readCertificate } from "@/lib/eidas/certificate";
import { loadCertificateAuthority } from "./certificate-authority";
import { issuedFiles } from "./certificate-issuing";
import { readOrder } from "./certificate-order";

const now = new Date("2027-03-01T12:00:00.000Z");
const webUrl = "http://localhost:3000";

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "drawbridge-issued-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const read = readOrder({ id: "PSDRO-NBR-1", name: "Tpp", roles: ["PSP_AI"], days: "90" });
if ("faults" in read) throw new Error("an order is an order");
const { order } = read;

it("issued certificates are valid from the bank's now for the days ordered, and not stored", async () => {
  await loadCertificateAuthority(join(dataDir, "ca"), now);
  const files = await issuedFiles(order, { dataDir, webUrl, now });
  expect(files.map(({ name }) => name)).toEqual([
    "qwac.pem",
    "qwac.key",
    "qseal.pem",
    "qseal.key",
    "ca.pem",
  ]);
  const qwac = readCertificate(new X509Certificate(String(files[0]?.text)).raw);
  expect(qwac.notAfter).toEqual(addTime(now, 90, "day"));
  expect(qwac.ocspUrls).toEqual([`${webUrl}/sandbox/ocsp`]);
  expect(await readdir(dataDir, { recursive: true })).toHaveLength(3);
});

it("a bank whose clock has been moved twelve years ahead keeps its CA as it is", async () => {
  const { certificatePem } = await loadCertificateAuthority(join(dataDir, "ca"), now);
  await issuedFiles(order, { dataDir, webUrl, now: addTime(now, 12 * 365, "day") });
  expect(await readFile(join(dataDir, "ca", "ca.pem"), "utf8")).toBe(certificatePem);
});

it("without a CA nothing is issued", async () => {
  await expect(issuedFiles(order, { dataDir, webUrl, now })).rejects.toThrow("lacks ca.pem");
});
