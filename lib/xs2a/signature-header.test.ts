import { X509Certificate } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { DistinguishedName } from "@/lib/eidas/certificate";
import { checkKeyId, issuerText, namesIssuer, parseSignatureHeader } from "./signature-header";
import { invalid, own, seal, thrown } from "./testing/tpp";

describe("the Signature header", () => {
  const sound =
    'keyId="SN=1,CA=CN=x",algorithm="rsa-sha256",headers="digest date",signature="AAAA"';

  it("is read with its parameters in any order", () => {
    const parameters = sound.split(/,(?=[a-z]+=")/);
    expect(parseSignatureHeader(parameters.reverse().join(" , "))).toMatchObject({
      keyId: "SN=1,CA=CN=x",
      algorithm: "rsa-sha256",
      signedHeaders: ["digest", "date"],
    });
  });

  it.each([
    ["S2: no list of headers", sound.replace(',headers="digest date"', "")],
    ["S2: an empty list of headers", sound.replace("digest date", "")],
    ["S4: a header listed twice", sound.replace("digest date", "digest date digest")],
    ["S4: a header listed twice in another case", sound.replace("digest date", "Digest digest")],
    ["S5: a parameter given twice", `${sound},keyId="SN=2,CA=CN=y"`],
    ["S5: an unknown parameter", `${sound},created="1"`],
    ["no keyId", sound.replace('keyId="SN=1,CA=CN=x",', "")],
    ["a signature that is not base64", sound.replace("AAAA", "A!AA")],
    ["an empty signature", sound.replace("AAAA", "")],
    ["no quotes", sound.replaceAll('"', "")],
    ["something behind it", `${sound} and more`],
    ["two blanks in the list", sound.replace("digest date", "digest  date")],
    ["nothing at all", ""],
  ])("%s is refused", (_, header) => {
    expect(thrown(() => parseSignatureHeader(header))).toMatchObject(invalid());
  });

  it("C10: any content is parsed or rejected, never an internal error", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300, unit: fc.constantFrom(...'abk=",\\ headersigntu/+') }),
        (text) => {
          const error = thrown(() => parseSignatureHeader(text));
          if (error !== undefined) expect(error).toMatchObject(invalid());
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("a keyId that has matched a certificate before", () => {
  const keyId = (serial: string) => `SN=${serial},CA=${new X509Certificate(own.qsealPem).issuer}`;
  const named = (serialNumber: bigint) => ({ ...seal, serialNumber });

  it("matches it again, and no other certificate; another keyId does not", () => {
    const [one, other] = [named(1n), named(2n)];
    const first = keyId("1").replaceAll("\n", ",");
    expect(thrown(() => checkKeyId(first, one))).toBeUndefined();
    expect(thrown(() => checkKeyId(first, one))).toBeUndefined();
    expect(thrown(() => checkKeyId(first, other))).toMatchObject(invalid("names serial"));
    const second = first.replace("SN=1", "SN=2");
    expect(thrown(() => checkKeyId(second, one))).toMatchObject(invalid("names serial"));
    expect(thrown(() => checkKeyId(second, one))).toMatchObject(invalid("names serial"));
  });
});

describe("keyId names the certificate", () => {
  const named = { serialNumber: 0x5a7b9c01n, issuer: seal.issuer, subject: seal.subject };
  const printed = new X509Certificate(own.qsealPem).issuer.split("\n");

  it.each([
    "5A7B9C01",
    "5a7b9c01",
    "005A7B9C01",
    "0x5A7B9C01",
    "5A:7B:9C:01",
    "5A 7B 9C 01",
    "1518050305",
  ])("by serial number %s", (serial) => {
    const keyId = `SN=${serial},CA=${printed.join(",")}`;
    expect(thrown(() => checkKeyId(keyId, named))).toBeUndefined();
  });

  it.each([
    ["country first", printed.join(",")],
    ["common name first", printed.toReversed().join(",")],
    ["blanks after the commas", printed.join(", ")],
    ["percent-encoded values", encodeURI(printed.join(","))],
    ["percent-encoded as a whole", encodeURIComponent(printed.join(","))],
    ["small letters", printed.join(",").toLowerCase()],
  ])("by issuer with %s", (_, issuer) => {
    expect(thrown(() => checkKeyId(`SN=5A7B9C01,CA=${issuer}`, named))).toBeUndefined();
  });

  it.each([
    ["another serial number", `SN=5A7B9C02,CA=${printed.join(",")}`],
    ["another issuer", "SN=5A7B9C01,CA=CN=Someone Else,O=Other,C=RO"],
    ["a part of the issuer", `SN=5A7B9C01,CA=${printed[0]}`],
    ["more than the issuer", `SN=5A7B9C01,CA=${printed.join(",")},L=Cluj`],
    ["an unknown attribute", `SN=5A7B9C01,CA=${printed.join(",")},XX=1`],
    ["no issuer", "SN=5A7B9C01"],
    ["nothing of the kind", "my-key"],
  ])("S8: %s is refused", (_, keyId) => {
    expect(thrown(() => checkKeyId(keyId, named))).toMatchObject(invalid("keyId"));
  });

  it("by a whole keyId that is percent-encoded", () => {
    const keyId = encodeURIComponent(`SN=5A7B9C01,CA=${printed.join(",")}`);
    expect(thrown(() => checkKeyId(keyId, named))).toBeUndefined();
    expect(thrown(() => checkKeyId(keyId.replace("9C01", "9C02"), named))).toMatchObject(
      invalid("keyId names serial 5A7B9C02"),
    );
  });

  it("by the issuer before the serial number", () => {
    const keyId = (serial: string) => `CA=${printed.join(",")},SN=${serial}`;
    expect(thrown(() => checkKeyId(keyId("5A7B9C01"), named))).toBeUndefined();
    expect(thrown(() => checkKeyId(keyId("5A7B9C02"), named))).toMatchObject(invalid("keyId"));
  });

  it("by a name beyond ASCII in UTF-8, which a header's value holds as bytes", () => {
    const issuer = [[{ type: "2.5.4.10", value: "Autoritatea Română" }]];
    const keyId = Buffer.from("SN=5A7B9C01,CA=O=Autoritatea Română").toString("latin1");
    expect(thrown(() => checkKeyId(keyId, { ...named, issuer }))).toBeUndefined();
    expect(thrown(() => checkKeyId(`${keyId}\xff`, { ...named, issuer }))).toMatchObject(
      invalid("keyId"),
    );
  });
});

describe("issuer name", () => {
  const rdn = (type: string, value: string) => [{ type, value }];
  const country = rdn("2.5.4.6", "RO");

  const qualified: DistinguishedName = [
    country,
    rdn("2.5.4.10", "Trust Services, S.R.L."),
    rdn("2.5.4.97", "VATRO-18288250"),
    rdn("2.5.4.3", "Qualified CA"),
  ];
  const beyondAscii: DistinguishedName = [country, rdn("2.5.4.10", "Română €")];
  const mailed: DistinguishedName = [
    rdn("2.5.4.3", "Mail CA"),
    rdn("1.2.840.113549.1.9.1", "ca@mail.example"),
    [
      { type: "2.5.4.11", value: "One" },
      { type: "2.5.4.5", value: "007" },
    ],
  ];
  const odd: DistinguishedName = [
    rdn("2.5.4.10", "A/B = C\\D #1 100% <x>"),
    rdn("2.5.4.12", "Dr"),
    rdn("2.5.4.3", 'Trust + More; CA "G2", O=Fake'),
  ];

  describe("one issuer is named", () => {
    it.each<readonly [by: string, name: string]>([
      [
        "OpenSSL, RFC 2253",
        "CN=Qualified CA,organizationIdentifier=VATRO-18288250,O=Trust Services\\, S.R.L.,C=RO",
      ],
      [
        "OpenSSL, on one line with blanks",
        'C = RO, O = "Trust Services, S.R.L.", organizationIdentifier = VATRO-18288250, CN = Qualified CA',
      ],
      [
        "OpenSSL and PHP, with slashes",
        "/C=RO/O=Trust Services, S.R.L./organizationIdentifier=VATRO-18288250/CN=Qualified CA",
      ],
      [
        "Java getName() and Go, the type that they do not know in DER",
        "CN=Qualified CA,2.5.4.97=#0c0e564154524f2d3138323838323530,O=Trust Services\\, S.R.L.,C=RO",
      ],
      [
        "Java toString() and .NET",
        'CN=Qualified CA, OID.2.5.4.97=VATRO-18288250, O="Trust Services, S.R.L.", C=RO',
      ],
      [
        "the same with its quotation marks escaped for the header",
        'CN=Qualified CA, OID.2.5.4.97=VATRO-18288250, O=\\"Trust Services, S.R.L.\\", C=RO',
      ],
      [
        "backslashes escaped for the header",
        "CN=Qualified CA,2.5.4.97=VATRO-18288250,O=Trust Services\\\\, S.R.L.,C=RO",
      ],
      ["semicolons", "CN=Qualified CA;2.5.4.97=VATRO-18288250;O=Trust Services\\, S.R.L.;C=RO"],
      [
        "a comma in hexadecimal",
        "CN=Qualified CA,2.5.4.97=VATRO-18288250,O=Trust Services\\2C S.R.L.,C=RO",
      ],
      [
        "a comma percent-encoded",
        "CN=Qualified CA,2.5.4.97=VATRO-18288250,O=Trust%20Services%2C S.R.L.,C=RO",
      ],
      [
        "blanks after the commas percent-encoded",
        "CN=Qualified%20CA,%202.5.4.97=VATRO-18288250,%20O=Trust%20Services%5C,%20S.R.L.,%20C=RO",
      ],
      [
        "the encoding of forms, which has + for a blank",
        "CN%3DQualified+CA%2C+2.5.4.97%3DVATRO-18288250%2C+O%3DTrust+Services%5C%2C+S.R.L.%2C+C%3DRO",
      ],
    ])("by %s", (_, name) => {
      expect(namesIssuer(name, qualified)).toBe(true);
      const other = name.replace(/18288250|38323530,/, (digits) => digits.replace("5", "6"));
      expect(namesIssuer(other, qualified)).toBe(false);
      expect(namesIssuer(name.replace("RO", "DE"), qualified)).toBe(false);
    });

    it.each([
      "O=Română €,C=RO",
      "C=RO, O=Rom\\C3\\A2n\\C4\\83 \\E2\\82\\AC",
      "/C=RO/O=Rom\\xC3\\xA2n\\xC4\\x83 €",
    ])("beyond ASCII as %s", (name) => {
      expect(namesIssuer(name, beyondAscii)).toBe(true);
      expect(namesIssuer(name.replace("n", "m"), beyondAscii)).toBe(false);
    });

    it.each([
      "CN=Mail CA,emailAddress=ca@mail.example,OU=One+serialNumber=007",
      "E=ca@mail.example, SERIALNUMBER=007 + OU=One, CN=Mail CA",
      "1.2.840.113549.1.9.1=#160f6361406d61696c2e6578616d706c65,2.5.4.5=#1303303037+OU=One,CN=Mail CA",
      "/CN=Mail CA/emailAddress=ca@mail.example/OU=One+serialNumber=007",
    ])("with an address and a name of two values as %s", (name) => {
      expect(namesIssuer(name, mailed)).toBe(true);
      expect(namesIssuer(name.replace(/007|3037/, "3038"), mailed)).toBe(false);
    });

    it.each([
      'CN=Trust \\+ More\\; CA \\"G2\\"\\, O\\=Fake,2.5.4.12=#0c024472,O=A/B \\= C\\\\D \\#1 100% \\<x\\>',
      'CN="Trust + More; CA \\"G2\\", O=Fake", T=Dr, O="A/B = C\\\\D #1 100% <x>"',
    ])("with every character that has a meaning: %s", (name) => {
      expect(namesIssuer(name, odd)).toBe(true);
      expect(namesIssuer(encodeURIComponent(name), odd)).toBe(true);
      expect(namesIssuer(name.replace("Fake", "Real"), odd)).toBe(false);
    });
  });

  describe("S8: no issuer is named", () => {
    it.each([
      "",
      "=",
      "RO",
      "CN=",
      "CN=Qualified CA,=x",
      "CN=Qualified CA,O=#0c0eff",
      "CN=Qualified CA,2.5.4.97=VATRO-18288250,C=RO",
      "CN=Qualified CA,2.5.4.97=VATRO-18288250,O=Trust Services\\, S.R.L.,C=RO,C=RO",
      "CN=Qualified CA,2.5.4.97=#VATRO-18288250,O=Trust Services\\, S.R.L.,C=RO",
      "CN=Qualified CA,2.5.4.97=VATRO-18288250,O=Trust Services,S.R.L.=,C=RO",
    ])("by %j", (name) => {
      expect(namesIssuer(name, qualified)).toBe(false);
    });

    it.each([",", '"', "\\", " ", "+", "%25", ",O=x", '"\\'])(
      "by a long run of %j, in little time",
      (piece) => {
        expect(namesIssuer(`CN=${piece.repeat(3_900 / piece.length)}`, qualified)).toBe(false);
        expect(namesIssuer(`CN=${piece.repeat(16_000)}`, qualified)).toBe(false);
      },
    );

    it("X14: by hundreds of encoded values, none of which is decoded", () => {
      const decoding = vi.spyOn(Buffer, "from");
      onTestFinished(() => decoding.mockRestore());
      expect(namesIssuer(`${"CN=#3082,".repeat(440)}C=RO`, qualified)).toBe(false);
      expect(decoding).not.toHaveBeenCalledWith(expect.anything(), "hex");
    });
  });

  describe("the issuer as text", () => {
    it("has its last attribute first, with usual attribute names, else object identifiers", () => {
      expect(issuerText([...qualified, rdn("1.2.3.4", "x")])).toBe(
        "1.2.3.4=x,CN=Qualified CA,organizationIdentifier=VATRO-18288250,O=Trust Services, S.R.L.,C=RO",
      );
    });
  });
});
