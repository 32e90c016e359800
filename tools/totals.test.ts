import { describe, expect, it } from "vitest";
import { judged, playwrightTotals, sum, totalsLine, vitestTotals } from "./totals";

const vitestReport = {
  numPassedTests: 5,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [
    { status: "passed", assertionResults: [{ status: "passed" }] },
    { status: "failed", assertionResults: [{ status: "failed" }] },
  ],
};
const stats = { expected: 3, unexpected: 0, flaky: 0, skipped: 1 };

describe("the totals of a runner", () => {
  it("counts skipped and to-be-written tests as skipped", () => {
    expect(vitestTotals(vitestReport)).toEqual({ passed: 5, failed: 1, skipped: 3 });
  });

  it("counts a test file that could not be loaded as one failure", () => {
    const unloaded = { status: "failed", assertionResults: [] };
    const testResults = [...vitestReport.testResults, unloaded];
    expect(vitestTotals({ ...vitestReport, testResults }).failed).toBe(2);
  });

  it("counts a test that passed only when tried again as failed", () => {
    const report = { stats: { ...stats, flaky: 1 }, errors: [] };
    expect(playwrightTotals(report)).toEqual({ passed: 3, failed: 1, skipped: 1 });
  });

  it("counts an error outside every test as failed", () => {
    expect(playwrightTotals({ stats, errors: [{ message: "setup" }] }).failed).toBe(1);
  });

  it("refuses a report of another form", () => {
    expect(() => vitestTotals({})).toThrow();
    expect(() => playwrightTotals({ stats: {}, errors: [] })).toThrow();
  });
});

describe("a runner is believed only when", () => {
  const well = { passed: 2, failed: 0, skipped: 0 };

  it("it ran at least one test", () => {
    const skippedAll = { passed: 0, failed: 0, skipped: 7 };
    expect(judged(skippedAll, true)).toEqual({ passed: 0, failed: 1, skipped: 7 });
  });

  it("its exit agrees with its report", () => {
    expect(judged(well, false).failed).toBe(1);
    expect(judged(well, true)).toEqual(well);
  });

  it("a failure already counted is not counted twice", () => {
    expect(judged({ ...well, failed: 3 }, false).failed).toBe(3);
  });
});

it("the last line is the totals over all runners", () => {
  const all = sum([
    { passed: 1, failed: 0, skipped: 0 },
    { passed: 40, failed: 2, skipped: 3 },
  ]);
  expect(totalsLine(all)).toBe("41 passed, 2 failed, 3 skipped");
});
