import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatClientCert, parseClientCert } from "./client-cert";

describe("the Client-Cert header", () => {
  it("is read as it was written", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 4_000 }), (der) => {
        expect(parseClientCert(formatClientCert(der))).toEqual(Buffer.from(der));
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["an empty byte sequence", "::"],
    ["no colons", "AAAA"],
    ["one colon", ":AAAA"],
    ["two of them, as two headers are joined", ":AAAA:, :AAAA:"],
    ["a parameter", ":AAAA:;a=1"],
    ["blanks around it", " :AAAA: "],
    ["a line break after it", ":AAAA:\n"],
    ["base64url", ":-_-_:"],
    ["no padding", ":AAA:"],
    ["bits beyond the last octet", ":AAB=:"],
    ["a string", '"AAAA"'],
    ["C1: an escaped PEM", "-----BEGIN%20CERTIFICATE-----"],
  ])("C1: is refused with %s", (_name, value) => {
    expect(parseClientCert(value)).toBeUndefined();
  });

  it("C10: is refused above 16 KiB", () => {
    expect(parseClientCert(formatClientCert(new Uint8Array(16_384)))).toHaveLength(16_384);
    expect(parseClientCert(formatClientCert(new Uint8Array(16_385)))).toBeUndefined();
  });
});
