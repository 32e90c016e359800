import { Integer } from "asn1js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CertificateFault } from "../certificate-fault";
import { derInteger, derValues } from "./der-values";

const values = (hex: string) => derValues(Buffer.from(hex, "hex"));

describe("values of DER, walked over", () => {
  it("lie one after the other", () => {
    const [first, second, ...more] = values("020105" + "30030101ff");
    expect([first?.tag, second?.tag, more.length]).toEqual([0x02, 0x30, 0]);
    expect(Buffer.from(second?.content ?? []).toString("hex")).toBe("0101ff");
    expect(Buffer.from(second?.whole ?? []).toString("hex")).toBe("30030101ff");
    expect(values("")).toEqual([]);
  });

  it("have lengths in as many octets as they need", () => {
    const long = (octets: number) => Buffer.alloc(octets).toString("hex");
    expect(values(`047f${long(127)}`)[0]?.content.length).toBe(127);
    expect(values(`048180${long(128)}`)[0]?.content.length).toBe(128);
    expect(values(`04820100${long(256)}`)[0]?.content.length).toBe(256);
  });

  it.each([
    ["a tag alone", "30"],
    ["a tag of several octets", "1f0100"],
    ["an indefinite length", "3080020101" + "0000"],
    ["more octets of length than there are", "3082"],
    ["a length that could be shorter", "04810100"],
    ["a length that begins with nought", `04820080${"00".repeat(128)}`],
    ["more octets of length than any number has", `04ff${"ff".repeat(130)}`],
    ["a length beyond the end", "0403ffff"],
    ["the largest length of all", "0484ffffffff00"],
  ])("%s is unreadable", (_what, hex) => {
    expect(() => values(hex)).toThrow(CertificateFault);
  });

  it("have integers as others read them", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 161n), max: 1n << 161n }), (number) => {
        const [value] = derValues(new Uint8Array(Integer.fromBigInt(number).toBER()));
        expect(derInteger(value)).toBe(number);
      }),
    );
    expect(() => derInteger(values("0200")[0])).toThrow(CertificateFault);
    expect(() => derInteger(values("040101")[0])).toThrow(CertificateFault);
    expect(() => derInteger(undefined)).toThrow(CertificateFault);
  });
});
