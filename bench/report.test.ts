import { describe, expect, it } from "vitest";
import type { Figures } from "./measure/figures";
import { inWords } from "./report";

const figures: Figures = {
  requestsPerSecond: 600,
  cpuMicroseconds: 1_500,
  databaseCpuMicroseconds: 300,
  memoryMegabytes: 250,
  clientLoad: 0.25,
  p50: 2,
  p99: 9.25,
  p999: 12,
};
const measured = (requestsPerSecond: number) => {
  const median = { ...figures, requestsPerSecond };
  return {
    median,
    rounds: [median],
    ofTheLimit: requestsPerSecond / 1_000,
    ofNext: requestsPerSecond / 500,
  };
};

describe("the report", () => {
  it("compares each server with the limit, in a table for Markdown", () => {
    const row = { ours: measured(600), limit: measured(1_000), next: measured(500) };
    const [head, rule, ...rows] = inWords({ mode: "compare", table: { payments: row } }).split(
      "\n",
    );
    expect(head?.split("|").map((cell) => cell.trim())).toContain("of the limit");
    expect(rule).toMatch(/^\|( -+ \|){2}( -+: \|)+$/);
    const cells = rows.map((line) => line.split("|").map((cell) => cell.trim()));
    expect(cells.map((each) => each.slice(1, 6))).toEqual([
      ["POST /v1/payments/sepa-credit-transfers", "Drawbridge", "600", "0.60", "1.20"],
      ["", "the limit", "1000", "1.00", "2.00"],
      ["", "bare Next handler", "500", "0.50", "1.00"],
    ]);
    expect(cells[0]?.slice(6, -1)).toEqual(["2.0", "9.3", "12.0", "1500", "300", "250", "25 %"]);
  });

  it("holds the memory against the first step", () => {
    const steps = [
      { requests: 100_000, megabytes: 300, mostMegabytes: 320 },
      { requests: 1_000_000, megabytes: 330, mostMegabytes: 350 },
    ];
    expect(inWords({ mode: "memory", steps })).toContain(
      "| 1,000,000 |       330 |     350 |         1.10 |",
    );
  });

  it("says how long a start takes, with and without a PostgreSQL to start", () => {
    const own = { median: 2_100.4, most: 2_500, each: [] };
    const given = { median: 900, most: 1_000, each: [] };
    const table = inWords({ mode: "start", starts: { own, given } });
    expect(table).toContain("| its own, started with it |      2100 |       2500 |");
    expect(table).toContain("| already running          |       900 |       1000 |");
  });

  it("says what a request costs more on a bank that has grown", () => {
    const cost = (milliseconds: number) => ({ milliseconds, cpuMicroseconds: milliseconds * 100 });
    const costs = { balances: { empty: cost(2), grown: cost(2.2), ratio: cost(1.1) } };
    expect(inWords({ mode: "grown", costs })).toContain("|     2.00 |     2.20 |  1.10 |");
  });
});
