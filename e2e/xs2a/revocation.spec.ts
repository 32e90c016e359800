import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { type Certificate, readCertificate } from "@/lib/eidas/certificate";
import { readCrl } from "@/lib/eidas/crl";
import { ocspRequest, readOcspResponse } from "@/lib/eidas/ocsp";
import { revoke } from "@/lib/sandbox/certificate-status";
import { consentRequest } from "../harness/consent-request";
import { expectRefusal } from "../harness/refusals";
import { endpoints, UNKNOWN_ID } from "../harness/requests";
import type { ServerSettings } from "../harness/server";
import { expect, test } from "../harness/test";

const read = (pem: string) => readCertificate(new Uint8Array(new X509Certificate(pem).raw));

/** What the sandbox CA does when a TPP reports a key as lost. */
async function revokeIt({ dataDir }: ServerSettings, pem: string): Promise<void> {
  const { serialNumber } = read(pem);
  await revoke(join(dataDir, "ca"), { serialNumber, at: new Date() });
}

test("C5: a revoked QWAC is 401 CERTIFICATE_REVOKED at the very next call, on every endpoint", async ({
  bank,
  newTpp,
}) => {
  const tpp = await newTpp();
  expectRefusal(await tpp.bank.consentStatus(UNKNOWN_ID), 403, "CONSENT_UNKNOWN");
  await revokeIt(bank, tpp.certificates.qwac.pem);
  for (const { method, path } of endpoints()) {
    const body = method === "POST" ? { body: consentRequest() } : {};
    expectRefusal(await tpp.bank.call(method, path, body), 401, "CERTIFICATE_REVOKED");
  }
  const nowhere = await tpp.bank.call("GET", "/open-banking/v3.1/nowhere", {});
  expectRefusal(nowhere, 401, "CERTIFICATE_REVOKED");
});

test("C5: a revoked QWAC gets no token any more, and the token it has is of no use", async ({
  bank,
  newTpp,
  authorise,
}) => {
  const tpp = await newTpp();
  const grant = await authorise(tpp);
  expect((await tpp.bank.accounts(grant)).status).toBe(200);
  await revokeIt(bank, tpp.certificates.qwac.pem);
  expectRefusal(await tpp.bank.accounts(grant), 401, "CERTIFICATE_REVOKED");
  const form = { grant_type: "refresh_token", refresh_token: String(grant.token.refreshToken) };
  expect(await tpp.postToken(form)).toEqual({
    status: 401,
    body: {
      error: "invalid_client",
      error_description: "certificate has been revoked by its issuer",
    },
  });
});

test("C5: a revoked seal is 401 CERTIFICATE_REVOKED; a renewed one of the same TPP goes on", async ({
  bank,
  newTpp,
}) => {
  const tpp = await newTpp();
  const { consentId } = await tpp.ask();
  await revokeIt(bank, tpp.certificates.qseal.pem);
  const reply = await tpp.bank.consentStatus(consentId);
  expectRefusal(reply, 401, "CERTIFICATE_REVOKED", "TPP-Signature-Certificate");
  const renewed = await newTpp({ id: tpp.id });
  expect((await renewed.bank.consentStatus(consentId)).status).toBe(200);
});

test("C5: the sandbox CA answers for its certificates at the addresses they name", async ({
  bank,
  newTpp,
}) => {
  const { certificates } = await newTpp();
  const [good, bad] = [read(certificates.qwac.pem), read(certificates.qseal.pem)];
  await revokeIt(bank, certificates.qseal.pem);
  const issuer = read(certificates.ca);
  const issued = (certificate: Certificate) => ({ certificate, issuer });
  // Who makes them knows the bank by its usual address; here it has a port of its own.
  const at = (url: string | undefined) => bank.webUrl + new URL(String(url)).pathname;
  const statusOf = async (certificate: Certificate, answer: Response) => {
    expect(answer.headers.get("content-type")).toBe("application/ocsp-response");
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return readOcspResponse(bytes, issued(certificate), new Date()).status;
  };
  const post = (certificate: Certificate) =>
    fetch(at(certificate.ocspUrls[0]), {
      method: "POST",
      headers: { "content-type": "application/ocsp-request" },
      body: new Uint8Array(ocspRequest(issued(certificate))),
    });
  expect(await statusOf(good, await post(good))).toBe("good");
  expect(await statusOf(bad, await post(bad))).toBe("revoked");

  const inPath = (certificate: Certificate) => {
    const base64 = Buffer.from(ocspRequest(issued(certificate))).toString("base64");
    return { base64, url: `${at(certificate.ocspUrls[0])}/${encodeURIComponent(base64)}` };
  };
  expect(await statusOf(bad, await fetch(inPath(bad).url))).toBe("revoked");
  // One whose base64 has every character that a path would write otherwise.
  const numbers = Array.from({ length: 10_000 }, (_, index) => BigInt(index + 1) << 64n);
  const awkward = numbers
    .map((serialNumber) => ({ ...good, serialNumber }))
    .find((one) => ["/", "+"].every((character) => inPath(one).base64.includes(character)));
  if (awkward === undefined) throw new Error("no request is awkward enough");
  expect(await statusOf(awkward, await fetch(inPath(awkward).url))).toBe("good");

  const list = await fetch(at(good.crlUrls[0]));
  expect(list.headers.get("content-type")).toBe("application/pkix-crl");
  const bytes = new Uint8Array(await list.arrayBuffer());
  const { serialNumbers } = readCrl(bytes, issuer, new Date());
  expect([good, bad].map(({ serialNumber }) => serialNumbers.has(serialNumber))).toEqual([
    false,
    true,
  ]);
});

test("C14: the TPP host answers for no certificates", async ({ bank, tpp }) => {
  for (const path of ["/sandbox/ocsp", "/sandbox/ocsp/AAAA", "/sandbox/crl"]) {
    const { status } = await tpp.http.send({
      method: "GET",
      url: bank.xs2aUrl + path,
      headers: {},
    });
    expect(status).toBe(404);
  }
});
