import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Psd2Role } from "@/lib/domain/tpp";
import { addTime, type TppId } from "@/lib/domain/values";
import { authorityParts } from "@/lib/sandbox/certificate-authority";
import { psd2Statement, writtenRole } from "@/lib/sandbox/tpp-certificates";
import { distinguishedName } from "@/lib/sandbox/x509";
import { checkQseal, checkQwac, checkRole, type Qwac } from "./qwac-qsealc";
import { corpus } from "./testing/corpus";
import type { CorpusCertificate, Made } from "./testing/corpus-fields";
import {
  type Issuing,
  issueDer,
  notTrusted,
  now,
  pem,
  qcExtension,
  refusal,
  request,
  startIssuing,
} from "./testing/issuing";
import { parseTrustAnchors, type TrustAnchors } from "./trust";

let issuing: Issuing;
beforeAll(async () => {
  issuing = await startIssuing();
});

describe("qwac", () => {
  const check = (der: Uint8Array | undefined, at = now) => checkQwac(der, issuing.anchors, at);

  describe("a QWAC that is accepted", () => {
    it("names the TPP: organizationIdentifier, name, roles and competent authority", async () => {
      const der = await issuing.qwac();
      expect(check(der).tpp).toEqual({
        id: "PSDRO-NBR-1234567",
        name: "Example TPP SRL",
        roles: ["PSP_PI", "PSP_AI"],
        authorityId: "RO-NBR",
        authorityName: "National Bank of Romania",
      });
      expect(check(der).thumbprint).toMatch(/^[\w-]{43}$/);
    });

    it("is read once", async () => {
      const der = await issuing.qwac();
      expect(check(Uint8Array.from(der)).certificate).toBe(check(der).certificate);
    });

    it("may have a name beyond ASCII", async () => {
      const subject = distinguishedName(["O", "Bancă & Țară"], ["2.5.4.97", request.id]);
      expect(check(await issuing.qwac({ subject })).tpp.name).toBe("Bancă & Țară");
    });

    it("may hold the PSD2 statement in place of the list, when its policy is one of QWACs", async () => {
      const statement = psd2Statement(
        [writtenRole("PSP_AI")],
        "National Bank of Romania",
        "RO-NBR",
      );
      const der = await issuing.qwac({ extensions: qcExtension(statement) });
      expect(check(der).tpp.roles).toEqual(["PSP_AI"]);
    });
  });

  describe("the period of validity", () => {
    const notBefore = addTime(now, -10, "day");
    const notAfter = addTime(now, 10, "day");

    it.each([
      [
        "a second before it begins: refused",
        addTime(notBefore, -1, "second"),
        "CERTIFICATE_EXPIRED",
      ],
      ["at its first second: accepted", notBefore, undefined],
      ["at its last second: accepted", notAfter, undefined],
      ["a second after its end: refused", addTime(notAfter, 1, "second"), "CERTIFICATE_EXPIRED"],
    ])("C3: %s", async (_when, instant, code) => {
      const der = await issuing.qwac({ notBefore, notAfter });
      const anchors = await anchorFor({ notBefore: addTime(now, -900, "day") });
      expect(refusal(() => checkQwac(der, anchors, instant))?.code).toBe(code);
    });

    it("C3: is asked again of a certificate already known", async () => {
      const der = await issuing.qwac({ notAfter });
      expect(refusal(() => check(der))).toBeUndefined();
      expect(refusal(() => check(der, addTime(now, 11, "day")))?.code).toBe("CERTIFICATE_EXPIRED");
    });

    it("C4: an issuer is trusted within its own validity period only", async () => {
      const der = await issuing.qwac();
      const anchors = await anchorFor({ notAfter: now });
      expect(refusal(() => checkQwac(der, anchors, now))).toBeUndefined();
      expect(refusal(() => checkQwac(der, anchors, addTime(now, 1, "second")))).toEqual(notTrusted);
    });

    it("C4: an issuer that renewed its certificate is trusted by the new one", async () => {
      const [former] = await anchorFor({ notAfter: addTime(now, -1, "day") });
      const [renewed] = issuing.anchors;
      const anchors = [former, renewed].filter((anchor) => anchor !== undefined);
      expect(checkQwac(await issuing.qwac(), anchors, now).tpp.id).toBe(request.id);
    });
  });

  describe("an unknown caller", () => {
    it("C2: without a certificate gets CERTIFICATE_MISSING", () => {
      const missing = { code: "CERTIFICATE_MISSING", text: "no client certificate was presented" };
      expect(refusal(() => check(undefined))).toEqual(missing);
    });
  });

  async function anchorFor(
    period: Partial<{ notBefore: Date; notAfter: Date }>,
  ): Promise<TrustAnchors> {
    const { name, keys } = issuing.authority;
    const der = await issueDer(issuing.authority, {
      ...authorityParts(name, keys, now),
      ...period,
    });
    return parseTrustAnchors(pem(der));
  }
});

describe("qseal", () => {
  const path = "TPP-Signature-Certificate";
  let qwac: Qwac;
  beforeAll(async () => {
    qwac = checkQwac(await issuing.qwac(), issuing.anchors, now);
  });

  const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64");
  const check = (header: string | undefined, at = now) =>
    checkQseal(header, qwac, issuing.anchors, at);

  describe("the TPP-Signature-Certificate header", () => {
    it.each<readonly [string, (der: Uint8Array) => string]>([
      ["base64 of the DER", base64],
      ["a PEM on one line, blanks for its breaks", (der) => pem(der).trim().replaceAll("\n", " ")],
      ["a PEM on one line, its breaks left out", (der) => pem(der).replaceAll("\n", "")],
      [
        "base64 of the DER with blanks for its breaks",
        (der) => base64(der).replace(/.{64}/g, "$& "),
      ],
      ["base64 of a PEM", (der) => base64(pem(der))],
      ["base64 of a PEM with CRLF", (der) => base64(pem(der).replaceAll("\n", "\r\n"))],
    ])("may hold %s", async (_name, encode) => {
      const der = await issuing.qseal();
      expect(check(encode(der)).x509.raw).toEqual(Buffer.from(der));
    });

    it("is CERTIFICATE_MISSING when it is not there", () => {
      const text = "TPP-Signature-Certificate is missing: no signature certificate was presented";
      expect(refusal(() => check(undefined))).toEqual({ code: "CERTIFICATE_MISSING", text, path });
    });

    const encoded = "signature certificate is not base64 of a certificate";
    const none = "signature certificate is base64 of what is no X.509 certificate";
    it.each<readonly [string, (der: Uint8Array) => string, text: string]>([
      ["nothing", () => "", `${encoded}: it is empty`],
      [
        "base64url",
        (der) => Buffer.from(der).toString("base64url"),
        `${encoded}: it is base64url or lacks its padding`,
      ],
      ["base64 with a line break", (der) => base64(der).replace(/.{64}/g, "$&\n"), encoded],
      ["two PEMs", (der) => pem(der) + pem(der), `${encoded}: it is more than one`],
      ["half a PEM", (der) => pem(der).slice(0, 200), `${encoded}: it is a PEM that is not whole`],
      ["an escaped PEM", (der) => encodeURI(pem(der)), `${encoded}: it is percent-encoded`],
      [
        "a private key",
        () => "-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----",
        `${encoded}: it is a private key; replace that key`,
      ],
      [
        "base64 of a private key",
        () => base64("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
        `${encoded}: it is a private key; replace that key`,
      ],
      [
        "base64 of two PEMs",
        (der) => base64(pem(der) + pem(der)),
        `${encoded}: it is more than one`,
      ],
      [
        "base64 of a PEM with a text before it",
        (der) => base64(`Bag Attributes\n${pem(der)}`),
        `${encoded}: it has a text before its PEM`,
      ],
      [
        "a PEM of something else",
        (der) => pem(der).replaceAll("CERTIFICATE", "CERTIFICATE REQUEST").replaceAll("\n", ""),
        `${encoded}: it is a PEM of something else`,
      ],
      [
        "a PEM whose breaks are written out",
        (der) => pem(der).replaceAll("\n", "\\n"),
        `${encoded}: it has \\n in place of line breaks; leave them out`,
      ],
      [
        "the end of a PEM without its beginning",
        (der) => pem(der).replace("-----BEGIN CERTIFICATE-----", "").replaceAll("\n", ""),
        `${encoded}: it is a PEM that is not whole`,
      ],
      [
        "colons around it",
        (der) => `:${base64(der)}:`,
        `${encoded}: it is in colons, which RFC 9440 has and this header has not`,
      ],
      ["quotation marks", (der) => `"${base64(der)}"`, `${encoded}: it is in quotation marks`],
      ["base64 of base64", (der) => base64(base64(der)), none],
      ["half a certificate", (der) => base64(der.subarray(0, 300)), none],
      ["more than any certificate needs", () => "A".repeat(40_000), none],
    ])("is CERTIFICATE_INVALID with %s", async (_name, encode, text) => {
      const header = encode(await issuing.qseal());
      expect(refusal(() => check(header))).toEqual({ code: "CERTIFICATE_INVALID", text, path });
    });
  });

  describe("the seal certificate", () => {
    it("C3: is CERTIFICATE_EXPIRED a second after its end", async () => {
      const header = base64(await issuing.qseal({ notAfter: now }));
      expect(refusal(() => check(header))).toBeUndefined();
      const late = refusal(() => check(header, addTime(now, 1, "second")));
      expect(late).toMatchObject({ code: "CERTIFICATE_EXPIRED", path });
    });
  });
});

describe("corpus", () => {
  const certificates = Object.values(corpus).flat();
  let good: Uint8Array;
  beforeAll(async () => {
    good = await issuing.qwac();
  });

  const made = new Map<CorpusCertificate, ReturnType<CorpusCertificate["make"]>>();
  /** Each is made once. */
  const madeOf = (certificate: CorpusCertificate) => {
    const known = made.get(certificate) ?? certificate.make(issuing);
    made.set(certificate, known);
    return known;
  };
  const derOf = (made: Made) => (made instanceof Uint8Array ? made : made.der);
  const anchorsFor = (made: Made) => (made instanceof Uint8Array ? issuing.anchors : made.anchors);

  /** What the bank says of it: a QSealC comes with the good QWAC of its TPP. */
  function refusalOf(as: CorpusCertificate["as"], der: Uint8Array, anchors: TrustAnchors) {
    if (as === "QWAC") return refusal(() => checkQwac(der, anchors, now));
    const qwac = checkQwac(good, issuing.anchors, now);
    return refusal(() => checkQseal(Buffer.from(der).toString("base64"), qwac, anchors, now));
  }

  describe.each(Object.entries(corpus))("%s", (_theme, rows) => {
    it.each(rows)("$as: $name", async (certificate) => {
      const { as, verdict } = certificate;
      const made = await madeOf(certificate);
      const fault = refusalOf(as, derOf(made), anchorsFor(made));
      const path = as === "QSealC" ? { path: "TPP-Signature-Certificate" } : {};
      expect(fault).toEqual(verdict === "accepted" ? undefined : { ...verdict, ...path });
    });
  });

  describe("the corpus", () => {
    it("has at least 40 certificates, good and bad, of both kinds, each with a name of its own", () => {
      expect(certificates.length).toBeGreaterThanOrEqual(40);
      expect(new Set(certificates.map(({ name }) => name)).size).toBe(certificates.length);
      const kinds = certificates.map(
        ({ as, verdict }) => `${as} ${verdict === "accepted" ? "accepted" : "refused"}`,
      );
      expect(new Set(kinds).size).toBe(4);
    });
  });

  describe("C4: without trust anchors every certificate gets the same refusal", () => {
    it.each(certificates)("$as: $name", async (certificate) => {
      const fault = refusalOf(certificate.as, derOf(await madeOf(certificate)), []);
      expect(fault).toMatchObject(notTrusted);
    });
  });
});

/** Certificates made with OpenSSL, beside the project where somebody has them: not our own encoder's. */
const WORKED_EXAMPLE = resolve(import.meta.dirname, "../../../shared/standard/signing-example");

if (existsSync(WORKED_EXAMPLE))
  describe("the worked example of the signing profile", () => {
    const read = (name: string) => readFileSync(join(WORKED_EXAMPLE, name), "utf8");
    const now = new Date("2026-12-01T09:30:00Z");

    it("has a QWAC and a QSealC that are accepted", () => {
      const anchors = parseTrustAnchors(read("ca.pem"));
      const [encoded] = /(?<=-----\n)[^-]+/.exec(read("qwac.pem")) ?? [""];
      const qwac = checkQwac(Buffer.from(encoded, "base64"), anchors, now);
      expect(qwac.tpp).toEqual({
        id: "PSDRO-NBR-1234567",
        name: "Example TPP SRL",
        roles: ["PSP_PI", "PSP_AI", "PSP_IC"],
        authorityName: "National Bank of Romania",
        authorityId: "RO-NBR",
      });
      expect(qwac.certificate.dnsNames).toEqual(["tpp.example", "*.tpp.example"]);
      const { tppCert } = JSON.parse(read("worked-example.json")) as { readonly tppCert: string };
      expect(checkQseal(tppCert, qwac, anchors, now).serialNumber).toBe(0x5a7b9c01n);
    });
  });

describe("role", () => {
  const all = ["PSP_AS", "PSP_PI", "PSP_AI", "PSP_IC"] as const satisfies readonly Psd2Role[];
  const tppWith = (...roles: readonly Psd2Role[]) => ({
    id: "PSDRO-NBR-1" as TppId,
    name: "TPP",
    authorityName: "National Bank of Romania",
    authorityId: "RO-NBR",
    roles,
  });

  it.each(all)("C7: %s is accepted for its own services only", (own) => {
    for (const role of all) {
      const text = `the certificate lacks ${role}; it has ${own}`;
      const expected = role === own ? undefined : { code: "ROLE_INVALID", text };
      expect(refusal(() => checkRole(tppWith(own), role))).toEqual(expected);
    }
  });

  it("C7: a TPP with several roles has each of them", () => {
    const tpp = tppWith("PSP_PI", "PSP_IC");
    expect(refusal(() => checkRole(tpp, "PSP_IC"))).toBeUndefined();
    expect(refusal(() => checkRole(tpp, "PSP_AI"))?.code).toBe("ROLE_INVALID");
  });
});
