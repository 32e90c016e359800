import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { after as later } from "@/lib/domain/clock";
import { type Certificate, readCertificate } from "./certificate";
import { type Issuing, now, request, startIssuing } from "./testing/issuing";

let issuing: Issuing;
let der: Uint8Array;
let certificate: Certificate;
beforeAll(async () => {
  issuing = await startIssuing();
  der = await issuing.qwac({ serialNumber: "00c0ffee" });
  certificate = readCertificate(der);
});

describe("a certificate, read", () => {
  it("says who it is of, and who issued it, attribute by attribute", () => {
    expect(certificate.subject).toEqual([
      [{ type: "2.5.4.6", value: "RO" }],
      [{ type: "2.5.4.10", value: "Example TPP SRL" }],
      [{ type: "2.5.4.97", value: request.id }],
      [{ type: "2.5.4.3", value: "tpp.example" }],
    ]);
    expect(certificate.issuer.at(-1)).toEqual([
      { type: "2.5.4.3", value: "Drawbridge Sandbox CA" },
    ]);
    const { organizationIdentifier, organizationName, commonName } = certificate;
    expect([organizationIdentifier, organizationName, commonName]).toEqual([
      request.id,
      request.name,
      request.domain,
    ]);
  });

  it("has its serial number as a number", () => {
    expect(certificate.serialNumber).toBe(0xc0ffeen);
  });

  it("has its period to the second", () => {
    expect(certificate.notBefore).toEqual(later(now, -1, "hour"));
    expect(certificate.notAfter).toEqual(later(now, 730, "day"));
  });

  it("has a period that reaches beyond 2050, where the form of a time changes", async () => {
    const notAfter = new Date("2051-06-30T23:59:59.000Z");
    expect(readCertificate(await issuing.qwac({ notAfter })).notAfter).toEqual(notAfter);
  });

  it("has the thumbprint that access tokens are bound to", () => {
    const thumbprint = createHash("sha256").update(der).digest("base64url");
    expect(certificate.thumbprint).toBe(thumbprint);
  });

  it("says what its key is for, and of which hosts it is", () => {
    expect(certificate.isAuthority).toBe(false);
    expect(certificate.keyUsage).toEqual(["digitalSignature", "keyEncipherment"]);
    expect(certificate.extendedKeyUsage).toEqual(["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"]);
    expect(certificate.policies).toEqual(["0.4.0.19495.3.1"]);
    expect(certificate.dnsNames).toEqual(["tpp.example"]);
    expect(certificate.publicKey.asymmetricKeyType).toBe("rsa");
  });

  it("says of a CA that it is one", () => {
    expect(issuing.anchors[0]?.isAuthority).toBe(true);
    expect(issuing.anchors[0]?.keyUsage).toEqual(["keyCertSign", "cRLSign"]);
  });
});
