import { createHash, type KeyObject } from "node:crypto";
import {
  Boolean as Asn1Boolean,
  Set as Asn1Set,
  Constructed,
  fromBER,
  Null,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Utf8String,
} from "asn1js";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addTime as later } from "@/lib/domain/values";
import { psd2Statement, qcCompliance, qcType, writtenRole } from "@/lib/sandbox/tpp-certificates";
import {
  AuthorityInfoAccessExtension,
  CRLDistributionPointsExtension,
  Extension,
  sequence,
} from "@/lib/sandbox/x509";
import { inputs } from "@/lib/testing-inputs";
import {
  type Certificate,
  readCertificate,
  readDistinguishedName,
  readExtensions,
  readQcStatements,
} from "./certificate";
import { CertificateFault, certificateLimits } from "./certificate-fault";
import { checkQwac } from "./qwac-qsealc";
import {
  type Issuing,
  nodeKey,
  now,
  refusal,
  request,
  signedDer,
  startIssuing,
  tbsOf,
} from "./testing/issuing";
import { mutate, mutations } from "./testing/mutations";

let issuing: Issuing;
beforeAll(async () => {
  issuing = await startIssuing();
});

describe("a certificate, read", () => {
  let der: Uint8Array;
  let certificate: Certificate;
  beforeAll(async () => {
    der = await issuing.qwac({ serialNumber: "00c0ffee" });
    certificate = readCertificate(der);
  });

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

  it("has a period beyond 2050, where the encoding of a time changes", async () => {
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

describe("mutated certificates", () => {
  let good: Uint8Array;
  let key: KeyObject;
  beforeAll(async () => {
    good = await issuing.qwac();
    key = await nodeKey(issuing.authority.keys);
  });

  /** The same certificates every time. */
  const seed = 20_270_301;

  it("C10: 0 accepted, each refused as CERTIFICATE_INVALID", () => {
    fc.assert(
      fc.property(mutations(), (list) => {
        const der = mutate(good, list);
        fc.pre(!Buffer.from(good).equals(der));
        const fault = refusal(() => checkQwac(der, issuing.anchors, now));
        expect(fault?.code).toBe("CERTIFICATE_INVALID");
      }),
      { seed, numRuns: inputs(10_000) },
    );
  });

  it("C10: mutated and signed by a trusted issuer: each is accepted or refused, without an exception", () => {
    const tbs = Buffer.from(tbsOf(good).toBER());
    fc.assert(
      fc.property(mutations(), (list) => {
        const der = signedDer(mutate(tbs, list), key, "ecdsaSha256");
        const fault = refusal(() => checkQwac(der, issuing.anchors, now));
        expect([undefined, "CERTIFICATE_INVALID", "CERTIFICATE_EXPIRED"]).toContain(fault?.code);
      }),
      { seed, numRuns: inputs(4_000) },
    );
  });

  it("C10: parsed without their issuer, each is read or a CertificateFault", () => {
    fc.assert(
      fc.property(mutations(), (list) => {
        try {
          readCertificate(mutate(good, list));
        } catch (error) {
          expect(error).toBeInstanceOf(CertificateFault);
        }
      }),
      { seed, numRuns: inputs(2_000) },
    );
  });
});

describe("distinguished name", () => {
  it("C9: an attribute of more parts than type and value is unreadable", () => {
    const parts = [new ObjectIdentifier({ value: "2.5.4.10" }), new Utf8String({ value: "TPP" })];
    const reading = (...more: readonly Null[]) => {
      const attribute = new Sequence({ value: [...parts, ...more] });
      return readDistinguishedName(new Sequence({ value: [new Asn1Set({ value: [attribute] })] }));
    };
    expect(reading()).toEqual([[{ type: "2.5.4.10", value: "TPP" }]]);
    expect(() => reading(new Null())).toThrow("unreadable");
  });
});

describe("extensions", () => {
  it("C8: an extension of more parts than three is unreadable", () => {
    const content = new OctetString({ valueHex: Uint8Array.of(5, 0) });
    const parts = [
      new ObjectIdentifier({ value: "2.5.29.32" }),
      new Asn1Boolean({ value: true }),
      content,
    ];
    const reading = (...more: readonly OctetString[]) =>
      readExtensions(new Sequence({ value: [new Sequence({ value: [...parts, ...more] })] }));
    expect(reading().get("2.5.29.32")).toEqual(Uint8Array.of(5, 0));
    expect(() => reading(content)).toThrow("unreadable");
  });
});

describe("qc statement", () => {
  /** PSP_PI, PSP_AI and PSP_IC of the National Bank of Romania, as another encoder wrote it. */
  const vector = Buffer.from(
    "30670606040081982702305d303930110607040081982701020c065053505f504930110607040081982701030c06" +
      "5053505f414930110607040081982701040c065053505f49430c184e6174696f6e616c2042616e6b206f662052" +
      "6f6d616e69610c06524f2d4e4252",
    "hex",
  );
  const psd2 = {
    roles: ["PSP_PI", "PSP_AI", "PSP_IC"],
    authorityName: "National Bank of Romania",
    authorityId: "RO-NBR",
  };

  describe("qcStatements", () => {
    it("are a list of statements", () => {
      const read = readQcStatements(sequence(qcCompliance(), qcType("web"), vector));
      const types = ["0.4.0.1862.1.6.3"];
      expect(read).toEqual({ listed: true, qualified: true, types, psd2 });
    });

    it("may be the PSD2 statement itself", () => {
      const read = readQcStatements(vector);
      expect(read).toEqual({ listed: false, qualified: false, types: [], psd2 });
    });

    it("may hold other statements", () => {
      const other = Buffer.from("30080606040 08e460104".replaceAll(" ", ""), "hex");
      expect(readQcStatements(sequence(other)).psd2).toBeUndefined();
    });
  });

  describe("C8: qcStatements are refused", () => {
    it.each([
      ["a qcStatement", []],
      ["PSD2 statement", [1]],
      ["PSD2 statement has an unknown role", [1, 0, 0]],
    ] as const)("that hold more than they have to: %s", (said, path) => {
      const statement = fromBER(new Uint8Array(vector)).result;
      const whole = path.reduce((value, index) => within(value)[index], statement as unknown);
      within(whole).push(new Null());
      const read = () => readQcStatements(sequence(new Uint8Array(statement.toBER())));
      expect(read).toThrow(said);
    });

    const within = (value: unknown) => {
      if (!(value instanceof Constructed)) throw new Error("nothing within it");
      return value.valueBlock.value;
    };
  });

  describe("the sandbox's encoder", () => {
    it("encodes the PSD2 statement as other encoders do", () => {
      const roles = (["PSP_PI", "PSP_AI", "PSP_IC"] as const).map(writtenRole);
      const written = psd2Statement(roles, psd2.authorityName, psd2.authorityId);
      expect(Buffer.from(written).toString("hex")).toBe(vector.toString("hex"));
    });
  });
});

describe("the status addresses of a certificate", () => {
  type Extensions = Readonly<Record<string, Extension>>;

  const addresses = async (extensions: Extensions) => {
    const { ocspUrls, crlUrls } = readCertificate(await issuing.qwac({ extensions }));
    return { ocspUrls, crlUrls };
  };
  const refusalOf = async (extensions: Extensions) => {
    const der = await issuing.qwac({ extensions });
    return refusal(() => checkQwac(der, issuing.anchors, now));
  };
  const ocsp = (...urls: string[]) => ({ ocsp: new AuthorityInfoAccessExtension({ ocsp: urls }) });
  const lists = (...urls: string[]) => ({ lists: new CRLDistributionPointsExtension(urls) });
  const OCSP = "http://ocsp.example/";
  const LIST = "https://lists.example/ca.crl";

  it("are none when it has none", async () => {
    expect(await addresses({})).toEqual({ ocspUrls: [], crlUrls: [] });
  });

  it("are every http and https address, in its order, each once", async () => {
    const other = "HTTPS://ocsp.example/other";
    expect(await addresses({ ...ocsp(OCSP, other, OCSP), ...lists(LIST) })).toEqual({
      ocspUrls: [OCSP, other],
      crlUrls: [LIST],
    });
  });

  it("are without directories and without the issuer certificate's address", async () => {
    const ldap = `ldap://directory.example/CN=Some CA,${"O=x".repeat(300)}?list`;
    const access = new AuthorityInfoAccessExtension({
      ocsp: [ldap, OCSP],
      caIssuers: ["http://issuer.example/ca.cer"],
    });
    expect(await addresses({ access, ...lists(ldap, LIST) })).toEqual({
      ocspUrls: [OCSP],
      crlUrls: [LIST],
    });
  });

  it("are without a list that is partial by reason or signed by another", async () => {
    const uri = Buffer.from(`86${hex(LIST)}`, "hex");
    const name = tagged("a0", tagged("a0", uri));
    const reasons = Buffer.from("810206c0", "hex");
    const whole = new Extension("2.5.29.31", false, seq(seq(name)));
    const cut = new Extension("2.5.29.31", false, seq(seq(name, reasons)));
    expect((await addresses({ whole })).crlUrls).toEqual([LIST]);
    expect((await addresses({ cut })).crlUrls).toEqual([]);
  });

  it("are four addresses of a kind at most", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, one) => `${OCSP}${one}`);
    const { statusAddressesMax: most } = certificateLimits;
    expect(await refusalOf({ ...ocsp(...many(most)), ...lists(...many(most)) })).toBeUndefined();
    const refused = { code: "CERTIFICATE_INVALID", text: expect.stringContaining("too many") };
    expect(await refusalOf(ocsp(...many(most + 1)))).toMatchObject(refused);
    expect(await refusalOf(lists(...many(most + 1)))).toMatchObject(refused);
  });

  it.each([
    ["a blank", "http://ocsp.example/a b"],
    ["a line break", "http://ocsp.example/\nlevel=error"],
    ["no host", "http:ocsp"],
    ["no end", `http://ocsp.example/${"x".repeat(481)}`],
  ])("X6: are without an address with %s", async (_what, url) => {
    const refused = { code: "CERTIFICATE_INVALID", text: expect.stringContaining("address") };
    expect(await refusalOf(ocsp(url))).toMatchObject(refused);
    expect(await refusalOf(lists(url))).toMatchObject(refused);
  });

  it.each(["1.3.6.1.5.5.7.1.1", "2.5.29.31"])("have to be readable: %s", async (id) => {
    for (const content of ["", "00", "0500", "3003020101", "30053003060100"]) {
      const odd = new Extension(id, false, Buffer.from(content, "hex"));
      expect(await refusalOf({ odd })).toMatchObject({ code: "CERTIFICATE_INVALID" });
    }
  });

  /** DER with one octet of length. */
  function tagged(tag: string, ...content: readonly Uint8Array[]): Buffer {
    const all = Buffer.concat(content);
    return Buffer.concat([Buffer.from(tag, "hex"), Uint8Array.of(all.length), all]);
  }

  function seq(...content: readonly Uint8Array[]): Buffer<ArrayBuffer> {
    return Buffer.from(tagged("30", ...content));
  }

  function hex(text: string): string {
    return Buffer.concat([Uint8Array.of(text.length), Buffer.from(text)]).toString("hex");
  }
});
