import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAmount, parseAmount } from "./money";

describe("money is exact", () => {
  it("what was formatted is read as the same amount", () => {
    const minorUnits = fc.bigInt({ min: -(10n ** 16n) + 1n, max: 10n ** 16n - 1n });
    fc.assert(
      fc.property(minorUnits, (minor) => {
        expect(parseAmount(formatAmount(minor))).toBe(minor);
      }),
    );
  });

  it.each([
    ["12.5", 1_250n],
    ["12", 1_200n],
    ["-0.01", -1n],
    ["0.10", 10n],
    ["99999999999999.99", 9_999_999_999_999_999n],
  ])("%s is %d minor units", (text, minor) => expect(parseAmount(text)).toBe(minor));

  it.each([
    "1e3",
    "1.001",
    "NaN",
    "٣",
    "1,00",
    "123456789012345",
    "",
    " 1",
    "1.",
    ".5",
    "+1",
    "--1",
  ])("B10: %j is no amount", (text) => expect(parseAmount(text)).toBeUndefined());

  it("always has two fraction digits", () => {
    expect(formatAmount(5n)).toBe("0.05");
    expect(formatAmount(-5n)).toBe("-0.05");
    expect(formatAmount(123_400n)).toBe("1234.00");
  });
});
