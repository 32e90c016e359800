import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { invalid, own, seal, thrown } from "../testing/refusal";
import { checkKeyId } from "./key-id";

describe("keyId that has named a certificate before", () => {
  const keyId = (serial: string) => `SN=${serial},CA=${new X509Certificate(own.qsealPem).issuer}`;
  const named = (serialNumber: bigint) => ({ ...seal, serialNumber });

  it("names it again, and no other certificate; and another keyId does not", () => {
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
