import { generateKeyPairSync, sign, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import httpSignature from "http-signature";
import { describe, expect, it } from "vitest";
import { readCertificate } from "@/lib/eidas/certificate";
import { certificatesOf } from "../testing/tpp";
import { checkCoveredHeaders } from "./covered-headers";
import { checkDate } from "./date-window";
import { checkDigest } from "./digest";
import { issuerAttributes, parseIssuerText } from "./issuer-name";
import { checkKeyId } from "./key-id";
import { parseSignatureHeader } from "./signature-header";
import { signingString } from "./signing-string";
import { checkVerifies } from "./verifies";

const own = await certificatesOf();
const seal = readCertificate(new X509Certificate(own.qsealPem).raw);
const invalid = (text = "") => ({
  status: 401,
  faults: [{ code: "SIGNATURE_INVALID", text: expect.stringContaining(text) }],
});
const thrown = (call: () => unknown) => {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("Digest", () => {
  const empty256 = "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  const empty512 =
    "SHA-512=z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==";
  const nothing = new Uint8Array();

  it.each([empty256, empty512, empty256.replace("SHA", "sha"), `${empty256}, ${empty512}`])(
    "of a request without body is over zero bytes: %s",
    (header) => expect(thrown(() => checkDigest(header, nothing))).toBeUndefined(),
  );

  it.each([
    [null, "missing"],
    ["", "not ALGORITHM=base64"],
    ["SHA-256", "not ALGORITHM=base64"],
    ["MD5=1B2M2Y8AsgTpgAmY7PhCfg==", "SHA-256 or SHA-512"],
    [`${empty256},MD5=1B2M2Y8AsgTpgAmY7PhCfg==`, "SHA-256 or SHA-512"],
    [`${empty256},SHA-512=AAAA`, "does not match"],
    ["SHA-256=RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=", "covers {} but the body is empty"],
  ])("S7: %s is refused", (header, text) => {
    expect(thrown(() => checkDigest(header, nothing))).toMatchObject(invalid(text));
  });

  it("S7: one bit, a line feed or a byte order mark more is another body", () => {
    const header = "SHA-256=LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=";
    expect(thrown(() => checkDigest(header, Buffer.from("hello")))).toBeUndefined();
    for (const other of ["hellp", "hello\n", "hello\r\n", "\uFEFFhello"]) {
      expect(thrown(() => checkDigest(header, Buffer.from(other)))).toMatchObject(invalid());
    }
  });
});

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

  it("C10: whatever it holds, it is read or refused, never a fault of ours", () => {
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

describe("what the signature covers", () => {
  const all = ["digest", "x-request-id", "date", "psu-id", "psu-corporate-id", "tpp-redirect-uri"];
  const headers = new Headers(all.map((name): [string, string] => [name, "x"]));
  const subsets = Array.from({ length: 2 ** all.length - 1 }, (_, bits) =>
    all.filter((_name, index) => (bits & (2 ** index)) > 0),
  );

  it.each(subsets.map((subset) => [subset.join(" ")]))("S2: %j alone is not enough", (subset) => {
    const error = thrown(() => checkCoveredHeaders(subset.split(" "), headers));
    expect(error).toMatchObject(invalid("does not cover"));
  });

  it("is everything that has to be covered, in any order, and more if the TPP likes", () => {
    const more = new Headers([...headers, ["psu-ip-address", "192.0.2.1"]]);
    const signed = ["(request-target)", "psu-ip-address", ...all.toReversed()];
    expect(thrown(() => checkCoveredHeaders(signed, more))).toBeUndefined();
  });

  it("S3: a listed header that the request does not have is refused", () => {
    const error = thrown(() => checkCoveredHeaders([...all, "psu-ip-address"], headers));
    expect(error).toMatchObject(invalid("the request has no PSU-IP-Address"));
  });
});

describe("Date", () => {
  const at = new Date("2026-11-20T10:00:00Z");
  it.each(["2026-11-20T10:00:00Z", "Fri, 20 Nov 2026 10:00:00 +0000", "yesterday", ""])(
    "%j is not a date of RFC 7231: TIMESTAMP_INVALID",
    (date) =>
      expect(thrown(() => checkDate(date, at, 300))).toMatchObject({
        status: 400,
        faults: [{ code: "TIMESTAMP_INVALID" }],
      }),
  );

  it("that is missing is a fault of the signature", () => {
    expect(thrown(() => checkDate(null, at, 300))).toMatchObject(invalid("Date is missing"));
  });
});

describe("keyId names the certificate", () => {
  const named = { serialNumber: 0x5a7b9c01n, issuer: seal.issuer };
  const printed = new X509Certificate(own.qsealPem).issuer.split("\n");

  it.each(["5A7B9C01", "5a7b9c01", "005A7B9C01", "0x5A7B9C01", "5A:7B:9C:01", "1518050305"])(
    "by serial number %s",
    (serial) => {
      const keyId = `SN=${serial},CA=${printed.join(",")}`;
      expect(thrown(() => checkKeyId(keyId, named))).toBeUndefined();
    },
  );

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

  it("a comma within a name does not end it", () => {
    const issuer = [
      [{ type: "2.5.4.10", value: "Trust, Inc." }],
      [{ type: "2.5.4.6", value: "DE" }],
    ];
    for (const text of ["O=Trust\\, Inc.,C=DE", "C=DE,O=Trust\\2C Inc.", "O=Trust%2C Inc.,C=DE"]) {
      expect(parseIssuerText(text)).toEqual(issuerAttributes(issuer));
    }
  });
});

describe("the signature itself", () => {
  const signed = Buffer.from("digest: x");

  it.each(["hmac-sha256", "none", "rsa-sha1", "hs2019", "ecdsa-sha256"])(
    "S6: algorithm %s is refused with an RSA key",
    (algorithm) => {
      const error = thrown(() => checkVerifies({ algorithm, signature: signed, signed }, seal));
      expect(error).toMatchObject(invalid("algorithm"));
    },
  );

  it.each(["sha256", "sha512"])(
    "of an EC key with %s is accepted, over other bytes it is not",
    (hash) => {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const signature = sign(hash, signed, privateKey);
      const call = (bytes: Uint8Array) =>
        thrown(() =>
          checkVerifies({ algorithm: `ecdsa-${hash}`, signature, signed: bytes }, { publicKey }),
        );
      expect(call(signed)).toBeUndefined();
      expect(call(Buffer.from("digest: y"))).toMatchObject(invalid("does not verify"));
    },
  );

  it("made by another library is accepted", () => {
    const headers: Record<string, string> = {
      digest: "SHA-256=abc",
      date: "Fri, 20 Nov 2026 10:00:00 GMT",
    };
    const request = {
      getHeader: (name: string) => headers[name.toLowerCase()],
      setHeader: (name: string, value: string) => {
        headers[name.toLowerCase()] = value;
      },
      method: "GET",
      path: "/v1/accounts?withBalance=true",
    };
    httpSignature.sign(
      request as never,
      {
        key: own.qsealKeyPem,
        keyId: "SN=1,CA=CN=x",
        algorithm: "rsa-sha256",
        headers: ["(request-target)", "digest", "date"],
        authorizationHeaderName: "signature",
      } as never,
    );
    const value = (headers["signature"] ?? "none").replace(/^Signature /, "");
    const { algorithm, signedHeaders, signature } = parseSignatureHeader(value);
    const received = new Request("https://bank.example/v1/accounts?withBalance=true", { headers });
    const text = signingString(signedHeaders, received);
    expect(
      thrown(() => checkVerifies({ algorithm, signature, signed: text }, seal)),
    ).toBeUndefined();
  });

  const example = path.resolve(import.meta.dirname, "../../../../shared/standard/signing-example");
  it.skipIf(!existsSync(example))("of the worked example is accepted, byte for byte", () => {
    const read = (name: string) => readFileSync(path.join(example, name), "utf8");
    const worked = JSON.parse(read("worked-example.json"));
    const certificate = readCertificate(new X509Certificate(read("qseal.pem")).raw);
    const request = new Request("https://bank.example/", { headers: worked.headers });
    checkDigest(worked.headers.digest, Buffer.from(read("body.json")));
    const { algorithm, signedHeaders, signature, keyId } = parseSignatureHeader(worked.signature);
    const signedText = signingString(signedHeaders, request);
    expect(Buffer.from(signedText).toString()).toBe(worked.signingString);
    checkKeyId(keyId, certificate);
    checkVerifies({ algorithm, signature, signed: signedText }, certificate);
  });
});
