import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { faultsIn } from "../testing/payment-request";
import { plainText, UNSEEN } from "./plain-text";

const takes = (text: unknown) => plainText(5).safeParse(text).success;

describe("a text of a payment", () => {
  it.each(["\u0000", "\n", "\r", "\t", "\u0085", "\u2028", "\u2029", "\ud83d", "\ude00"])(
    "without what no reader sees: %j is refused",
    (character) => {
      expect(takes(`a${character}`)).toBe(false);
    },
  );

  it.each(["\u202e", "\u200b", "\u2066", "\ufeff", "\u00ad", "\ue000"])(
    "P7: reads as it is written: %j is refused",
    (character) => {
      expect(takes(`a${character}`)).toBe(false);
    },
  );

  it.each(["", " ", "\u00a0 "])("is not empty: %j is refused", (text) => {
    expect(takes(text)).toBe(false);
  });

  it("has none of what Unicode calls a control, a format, private or a separator of lines", () => {
    const categories = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u;
    const unseen = new RegExp(`[${UNSEEN}]`, "u");
    const differing: string[] = [];
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code);
      if (categories.test(character) !== unseen.test(character)) differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });

  it("is as long as its characters are many, in any script", () => {
    for (const five of ["abcde", "ăâîșț", "Ελλην", "😀😀😀😀😀"]) {
      expect([five, takes(five), takes(`${five}x`)]).toEqual([five, true, false]);
    }
  });

  it("has at least what the standard lets a TPP write", () => {
    const allowed = "abcxyzABCXYZ019 /-?:().,'+";
    expect(plainText(70).safeParse(allowed).success).toBe(true);
  });

  it("can be kept by the database as it is, or is refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 5 }), (text) => {
        if (takes(text)) expect(Buffer.from(text).toString()).toBe(text);
        if (takes(text)) expect(text).not.toContain("\u0000");
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["creditorName", "a\u0000"],
    ["endToEndIdentification", "a\u0000"],
    ["remittanceInformationUnstructured", "a\u202eb"],
    ["debtorAccount", { iban: "RO49AAAA1B31007593840000", cashAccountType: "\u0000" }],
    ["creditorAddress", { country: "DE", townName: "\ud83d" }],
    ["creditorAddress", { country: "DE", streetName: "x".repeat(71) }],
    ["creditorAddress", { country: "DE", postCode: "x".repeat(36) }],
    ["creditorAddress", { country: "DE", buildingNumber: "" }],
  ])("in %s of %j is held to it", (name, value) => {
    expect(faultsIn({ [name]: value })).toHaveLength(1);
  });
});
