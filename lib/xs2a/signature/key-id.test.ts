import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { invalid, own, seal, thrown } from "../testing/refusal";
import { issuerAttributes, parseIssuerText } from "./issuer-name";
import { checkKeyId } from "./key-id";

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
