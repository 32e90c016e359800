import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAmount } from "@/lib/domain/money";
import { money as of } from "@/lib/domain/payment/product-terms";
import { money, regionName } from "./formats";

const formats = { locale: "en-GB", and: "and" };

describe("an amount for the reader", () => {
  it.each([
    [1n, "0.01 RON"],
    [100_000n, "1,000.00 RON"],
    [9_999_999_999_999_999n, "99,999,999,999,999.99 RON"],
  ])("%s minor units: %s", (minorUnits, said) => {
    expect(money(formats, of("RON", minorUnits))).toBe(said);
  });

  it("P7: has every digit of the amount, and no other", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 16n - 1n }), (minorUnits) => {
        const said = money(formats, of("EUR", minorUnits));
        expect(said.replaceAll(",", "")).toBe(`${formatAmount(minorUnits)} EUR`);
      }),
    );
  });
});

it("a country is named, and one without a name keeps its code", () => {
  expect(regionName(formats, "RO")).toBe("Romania");
  expect(regionName(formats, "QX")).toBe("QX");
});
