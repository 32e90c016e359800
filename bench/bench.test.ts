import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measurement, percentile } from "./measurement";
import { type Results, report } from "./report";

describe("a percentile", () => {
  it("is the nearest rank of the sorted values", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(percentile(hundred, 50)).toBe(50);
    expect(percentile(hundred, 99)).toBe(99);
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

describe("a measurement", () => {
  it("is taken over the measured time, whatever the order of the answers", () => {
    const measured = measurement({ latencies: [3, 1, 2, 4], seconds: 2, clientCpuSeconds: 1 });
    expect(measured).toEqual({
      requests: 4,
      requestsPerSecond: 2,
      p50Milliseconds: 2,
      p99Milliseconds: 4,
      clientLoad: 0.5,
      clientMicroseconds: 250_000,
    });
  });
});

describe("the report", () => {
  const drawbridge = measurement({
    latencies: [12, 13, 14],
    seconds: 0.005,
    clientCpuSeconds: 0.001,
  });
  const bare = measurement({ latencies: [1, 1, 2], seconds: 0.0005, clientCpuSeconds: 0.0005 });
  const results: Results = {
    drawbridge,
    bare,
    connections: 16,
    seconds: 8,
    bodyBytes: 900,
    machine: { cores: 2, processor: "Example CPU", node: "v20.20.2", date: "2026-11-21" },
  };
  const lines = report(results).split("\n");

  it("is a table with the ratio to the bare handler", () => {
    expect(lines.slice(3, 6)).toEqual([
      "                req/s  p50 ms  p99 ms  ratio",
      "Drawbridge        600   13.00   14.00  0.100",
      "bare node:http   6000    1.00    2.00  1.000",
    ]);
  });

  it("says where the client was the bottleneck, and what it costs itself", () => {
    expect(lines).toContain(
      "Drawbridge: the client used 20 % of a core (333 µs of processor time a request).",
    );
    expect(lines.join("\n")).toContain("bare node:http: the client was the bottleneck with 100 %");
  });

  it("names machine, Node version and day", () => {
    expect(lines.at(-1)).toBe("2 cores (Example CPU), Node v20.20.2, 2026-11-21");
  });
});
