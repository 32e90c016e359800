import { createPrivateKey, X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { addTime as later } from "@/lib/domain/values";
import { readCertificate } from "@/lib/eidas/certificate";
import { checkQseal, checkQwac } from "@/lib/eidas/qwac-qsealc";
import { parseTrustAnchors } from "@/lib/eidas/trust";
import { type CertificateAuthority, makeCertificateAuthority } from "./certificate-authority";
import { nextKeys } from "./testing";
import { issueTppCertificates, type TppCertificateRequest } from "./tpp-certificates";

const now = new Date("2027-03-01T12:00:00.000Z");
const request: TppCertificateRequest = {
  id: "PSDRO-NBR-1234567",
  name: "Example TPP",
  roles: ["PSP_AI", "PSP_PI", "PSP_IC"],
  now,
  makeKeys: nextKeys,
};

let authority: CertificateAuthority;
beforeAll(async () => {
  authority = await makeCertificateAuthority(now);
});

async function issue(changes: Partial<TppCertificateRequest> = {}) {
  const pems = await issueTppCertificates(authority, { ...request, ...changes });
  const qwac = new X509Certificate(pems.qwacPem);
  const qseal = new X509Certificate(pems.qsealPem);
  return { pems, qwac, qseal, anchors: parseTrustAnchors(pems.caPem) };
}

describe("the certificates of a TPP", () => {
  it("are accepted at once as its QWAC and its QSealC", async () => {
    const { qwac, qseal, anchors } = await issue();
    const checked = checkQwac(qwac.raw, anchors, now);
    expect(checked.tpp).toEqual({
      id: "PSDRO-NBR-1234567",
      name: "Example TPP",
      roles: ["PSP_AI", "PSP_PI", "PSP_IC"],
      authorityName: "National Bank of Romania",
      authorityId: "RO-NBR",
    });
    const seal = checkQseal(qseal.raw.toString("base64"), checked, anchors, now);
    expect(seal.policies).toEqual(["0.4.0.194112.1.1"]);
    expect(seal.keyUsage).toEqual(["digitalSignature", "nonRepudiation"]);
  });

  it("come with RSA keys of 2048 bits, one for each", async () => {
    const { pems, qwac, qseal } = await issue();
    const webKey = createPrivateKey(pems.qwacKeyPem);
    expect(webKey.asymmetricKeyDetails?.modulusLength).toBe(2_048);
    expect(qwac.checkPrivateKey(webKey)).toBe(true);
    expect(qseal.checkPrivateKey(createPrivateKey(pems.qsealKeyPem))).toBe(true);
    expect(qseal.checkPrivateKey(webKey)).toBe(false);
    expect(pems.caPem).toBe(authority.certificatePem);
  });

  it("are for a client and a server on the TPP's domain, localhost when none is given", async () => {
    const own = readCertificate((await issue({ domain: "tpp.example" })).qwac.raw);
    expect([own.commonName, own.dnsNames]).toEqual(["tpp.example", ["tpp.example"]]);
    expect(own.extendedKeyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
    expect(readCertificate((await issue()).qwac.raw).dnsNames).toEqual(["localhost"]);
  });

  it("name another competent authority by its id, or by a given name", async () => {
    const german = await issue({ id: "PSDDE-BAFIN-125314" });
    const { tpp } = checkQwac(german.qwac.raw, german.anchors, now);
    expect([tpp.authorityId, tpp.authorityName]).toEqual(["DE-BAFIN", "DE-BAFIN"]);
    const told = await issue({ authorityId: "FR-ACPR", authorityName: "ACPR" });
    expect(checkQwac(told.qwac.raw, told.anchors, now).tpp.authorityName).toBe("ACPR");
  });

  it("are valid for two years, or as long as requested", async () => {
    expect(readCertificate((await issue()).qseal.raw).notAfter).toEqual(later(now, 730, "day"));
    const period = { notBefore: later(now, 1, "day"), notAfter: later(now, 2, "day") };
    expect(readCertificate((await issue(period)).qwac.raw)).toMatchObject(period);
  });

  it("take a name as it is, with any punctuation", async () => {
    const name = '#A, "B"+C=D\\Ș';
    const { qwac, anchors } = await issue({ name });
    expect(checkQwac(qwac.raw, anchors, now).tpp.name).toBe(name);
  });

  it.each(["1234567", "PSDRO-NBR-", "PSDRO-NBR-1 2"])(
    "are not issued for the id %s",
    async (id) => {
      await expect(issue({ id })).rejects.toThrow(
        new Error(`${id} is not of the form PSDRO-NBR-1234567`),
      );
    },
  );
});
