import { describe, expect, it } from "vitest";
import { invalid, thrown } from "../testing/refusal";
import { checkDigest } from "./digest";

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
    ["", '"" is not of the form SHA-256=base64'],
    ["SHA-256", '"SHA-256" is not of the form SHA-256=base64'],
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
