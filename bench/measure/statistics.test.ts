import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { median, percentile } from "./statistics";

describe("a percentile", () => {
  it("is the nearest rank of the sorted values", () => {
    const thousand = Array.from({ length: 1_000 }, (_, index) => index + 1);
    expect(percentile(thousand, 50)).toBe(500);
    expect(percentile(thousand, 99)).toBe(990);
    expect(percentile(thousand, 99.9)).toBe(999);
    expect(percentile([7], 99)).toBe(7);
  });

  it("is a measured value that at least so many are not above", () => {
    const values = fc.array(fc.double({ noNaN: true, min: 0, max: 1_000 }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 100 }), (latencies, percent) => {
        const sorted = latencies.toSorted((a, b) => a - b);
        const value = percentile(sorted, percent);
        const notAbove = sorted.filter((one) => one <= value).length;
        expect(sorted).toContain(value);
        expect(notAbove / sorted.length).toBeGreaterThanOrEqual(percent / 100);
      }),
    );
  });

  it("of nothing is refused", () => {
    expect(() => percentile([], 50)).toThrow("nothing was measured");
  });
});

describe("a median", () => {
  it("is the value in the middle, or the mean of the two there", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1, 5, 2])).toBe(3.5);
  });

  it("of nothing is refused", () => {
    expect(() => median([])).toThrow("nothing was measured");
  });
});
