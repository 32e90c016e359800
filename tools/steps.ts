import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { provideChromium } from "./chromium";
import { isStopped, passSignalsOn, runPackage } from "./run";
import {
  judged,
  oneFailed,
  playwrightTotals,
  sum,
  type Totals,
  totalsLine,
  vitestTotals,
} from "./totals";

export type Step = { readonly heading: string; readonly run: () => Promise<Totals> };

const root = join(import.meta.dirname, "..");
const reports = join(root, "test-results");
// Where e2e/playwright.config.ts has its report written.
const playwrightFile = join(reports, "e2e.json");

export const env: NodeJS.ProcessEnv = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };

/**
 * One step after the other; a failed one does not keep the next from running, and no step has a limit of time. The
 * last line is the totals over all of them, and the exit code says whether nothing failed.
 */
export async function runSteps(steps: readonly Step[]): Promise<void> {
  process.chdir(root);
  passSignalsOn();
  // A report of an earlier run must not speak for a runner that wrote none.
  rmSync(reports, { recursive: true, force: true });
  const results: { readonly line: string; readonly totals: Totals }[] = [];
  for (const { heading, run } of steps) {
    if (isStopped()) break;
    console.log(`\n=== ${heading} ===\n`);
    const started = performance.now();
    const totals = await run();
    const seconds = Math.round((performance.now() - started) / 1_000);
    results.push({ line: `${heading}: ${totalsLine(totals)}; ${seconds} s`, totals });
    console.log(`\n${results.at(-1)?.line}`);
  }
  const all = sum(results.map(({ totals }) => totals));
  console.log(`\n${results.map(({ line }) => line).join("\n")}\n\n${totalsLine(all)}`);
  process.exitCode = all.failed === 0 && !isStopped() ? 0 : 1;
}

export async function vitest(
  name: string,
  args: readonly string[] = [],
  more = env,
): Promise<Totals> {
  const file = join(reports, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const well = await runPackage("vitest", ["run", ...args, ...reporters], more);
  return judged(reported(file, vitestTotals), well);
}

export async function playwright(args: readonly string[] = [], more = env): Promise<Totals> {
  const chromium = await provideChromium(env);
  if (!chromium.found) {
    console.error(chromium.reason);
    return oneFailed;
  }
  console.log(`Chromium: ${chromium.path}`);
  const well = await runPackage("playwright", ["test", "-c", "e2e/playwright.config.ts", ...args], {
    ...more,
    CHROMIUM_PATH: chromium.path,
  });
  return judged(reported(playwrightFile, playwrightTotals), well);
}

export function reported(file: string, totals: (report: unknown) => Totals): Totals {
  try {
    return totals(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    console.error(`No usable report at ${file}: ${error instanceof Error ? error.message : error}`);
    return oneFailed;
  }
}
