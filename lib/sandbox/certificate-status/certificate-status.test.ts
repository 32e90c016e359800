import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { after } from "@/lib/domain/clock";
import { type Certificate, readCertificate } from "@/lib/eidas/certificate";
import { readCrl } from "@/lib/eidas/revocation/crl";
import { ocspRequest } from "@/lib/eidas/revocation/ocsp-request";
import { readOcspResponse } from "@/lib/eidas/revocation/ocsp-response";
import { loadCertificateAuthority } from "../certificate-authority";
import { issueTppCertificates } from "../tpp-certificates";
import { X509Certificate } from "../x509";
import { crl } from "./crl";
import { answerOcsp } from "./ocsp";
import { revoke, revokedIn } from "./revoked-file";
import { readSigner, type Signer } from "./signing";

const now = new Date();
let directory: string;
let signer: Signer;
let issuer: Certificate;
let good: Certificate;
let bad: Certificate;

const read = (pem: string) => readCertificate(new Uint8Array(new X509Certificate(pem).rawData));

beforeAll(async () => {
  directory = join(await mkdtemp(join(tmpdir(), "drawbridge-test-")), "ca");
  const authority = await loadCertificateAuthority(directory, now);
  const organisation = { id: "PSDRO-NBR-1", name: "Tpp", roles: ["PSP_AI"], now } as const;
  const statusUrl = "http://localhost:3000/sandbox";
  const made = await issueTppCertificates(authority, { ...organisation, statusUrl });
  [issuer, good, bad] = [read(authority.certificatePem), read(made.qwacPem), read(made.qsealPem)];
  await revoke(directory, { serialNumber: bad.serialNumber, at: now });
  const found = await readSigner(directory);
  if (found === undefined) throw new Error("no CA");
  signer = found;
});
afterAll(() => rm(join(directory, ".."), { recursive: true, force: true }));

describe("the sandbox CA answers for its certificates", () => {
  it("the certificates name where", () => {
    expect(good.ocspUrls).toEqual(["http://localhost:3000/sandbox/ocsp"]);
    expect(good.crlUrls).toEqual(["http://localhost:3000/sandbox/crl"]);
  });

  it("C5: OCSP says good of one and revoked of the other", async () => {
    const revoked = await revokedIn(directory);
    const statusOf = (certificate: Certificate) => {
      const issued = { certificate, issuer };
      const answer = answerOcsp(ocspRequest(issued), signer, { revoked, now });
      return readOcspResponse(answer, issued, now);
    };
    expect(statusOf(good)).toEqual({ status: "good", until: after(now, 10, "minute") });
    expect(statusOf(bad).status).toBe("revoked");
  });

  it("C5: the list holds what is revoked, and nothing when nothing is", async () => {
    const namedIn = (der: Uint8Array) => [...readCrl(der, issuer, now).serialNumbers];
    expect(namedIn(crl(signer, await revokedIn(directory), now))).toEqual([bad.serialNumber]);
    expect(namedIn(crl(signer, [], now))).toEqual([]);
  });

  it.runIf(existsSync("/usr/bin/openssl"))("OpenSSL reads both as we do", async () => {
    const file = (name: string) => join(directory, name);
    const revoked = await revokedIn(directory);
    await writeFile(file("list.der"), crl(signer, revoked, now));
    await writeFile(file("good.pem"), pemOf(good));
    await writeFile(file("bad.pem"), pemOf(bad));
    const listing = openssl(
      "crl",
      "-inform",
      "DER",
      "-in",
      file("list.der"),
      "-CAfile",
      file("ca.pem"),
      "-noout",
    );
    expect(listing).toContain("verify OK");
    const asked = ["-issuer", file("ca.pem"), "-cert", file("good.pem"), "-cert", file("bad.pem")];
    openssl("ocsp", ...asked, "-no_nonce", "-reqout", file("request.der"));
    const request = spawnSync("cat", [file("request.der")]).stdout;
    await writeFile(file("answer.der"), answerOcsp(request, signer, { revoked, now }));
    const told = openssl(
      "ocsp",
      ...asked,
      "-respin",
      file("answer.der"),
      "-CAfile",
      file("ca.pem"),
      "-no_nonce",
    );
    expect(told).toContain("Response verify OK");
    expect(told).toMatch(/good\.pem: good/);
    expect(told).toMatch(/bad\.pem: revoked/);
  });
});

const pemOf = ({ x509 }: Certificate) => x509.toString();

function openssl(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
  return stdout + stderr;
}
