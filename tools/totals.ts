import { z } from "zod";

export type Totals = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
};

export const onePassed: Totals = { passed: 1, failed: 0, skipped: 0 };
export const oneFailed: Totals = { passed: 0, failed: 1, skipped: 0 };

const count = z.number().int().nonnegative();

const vitestReport = z.object({
  numPassedTests: count,
  numFailedTests: count,
  numPendingTests: count,
  numTodoTests: count,
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

const playwrightReport = z.object({
  stats: z.object({ expected: count, unexpected: count, flaky: count, skipped: count }),
  errors: z.array(z.unknown()),
});

const ownReport = z.object({ passed: count, failed: count, skipped: count });

/** Of a report that is nothing but the totals. */
export function totalsOf(report: unknown): Totals {
  return ownReport.parse(report);
}

/** A file that could not even be loaded holds no failed test, and counts as one. */
export function vitestTotals(report: unknown): Totals {
  const found = vitestReport.parse(report);
  const unloaded = found.testResults.filter(
    (file) =>
      file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: found.numPassedTests,
    failed: found.numFailedTests + unloaded.length,
    skipped: found.numPendingTests + found.numTodoTests,
  };
}

/** A test that passes only when tried again has failed once: it counts as failed. */
export function playwrightTotals(report: unknown): Totals {
  const { stats, errors } = playwrightReport.parse(report);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  };
}

/**
 * What a runner is believed: a report in which no test ran, and a bad exit that no failed test explains (an unhandled
 * error, a crash after the last test), count as a failure.
 */
export function judged(totals: Totals, endedWell: boolean): Totals {
  const ranNothing = totals.passed + totals.failed === 0;
  const unexplained = !endedWell && totals.failed === 0;
  return ranNothing || unexplained ? { ...totals, failed: totals.failed + 1 } : totals;
}

export function sum(parts: readonly Totals[]): Totals {
  return parts.reduce(
    (all, part) => ({
      passed: all.passed + part.passed,
      failed: all.failed + part.failed,
      skipped: all.skipped + part.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
