import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { provideChromium } from "./chromium";
import { failuresOf } from "./failures";
import { type Command, endRunning, run } from "./run";
import { stopwatch } from "./stopwatch";
import {
  type Ending,
  judged,
  oneFailed,
  onePassed,
  playwrightTotals,
  sum,
  type Totals,
  totalsLine,
  vitestTotals,
} from "./totals";

/**
 * All checks, lint beside types and then one after the other; a failed one does not keep the next from
 * running. The last line is the totals over all of them. The lint and the type check count as one check each.
 */
const root = join(import.meta.dirname, "..");
const reports = join(root, "test-results");
const vitestFile = join(reports, "vitest.json");
// Where e2e/playwright.config.ts has its report written.
const playwrightFile = join(reports, "e2e.json");
const MINUTE_MS = 60_000;
/** Whoever has a clock of their own to keep to says what is left of it. */
const TOTAL_LIMIT_MS = Number(process.env["TEST_SECONDS_MAX"] ?? 750) * 1_000;
/** What begins so long before the end comes to its own. */
const LAST_TEST_MS = 75_000;
const started = performance.now();
/** The end-to-end tests' own are the last that they say. */
const failures: string[] = [];
const inVitest = (report: unknown) => failuresOf(report, root);
let stopped = false;

const env: NodeJS.ProcessEnv = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: "1",
};

async function runner(file: string, ...args: string[]): Promise<Ending> {
  const outcome = await run(command(file, args));
  if (outcome.kind === "not-started") console.error(outcome.reason);
  if (outcome.kind === "timed-out") {
    console.error(
      `Ended after the ${(TOTAL_LIMIT_MS / MINUTE_MS).toFixed(1)} minutes all checks have together.`,
    );
  }
  if (outcome.kind === "timed-out" || stopped) return "cut-short";
  return outcome.kind === "exited" && outcome.code === 0 ? "well" : "badly";
}

async function check(file: string, ...args: string[]): Promise<boolean> {
  return (await runner(file, ...args)) === "well";
}

async function lint(): Promise<Totals> {
  return (await check("biome", "ci", ".")) ? onePassed : oneFailed;
}

/** Next's generated types come first: without them a clean checkout knows no route. */
async function types(): Promise<Totals> {
  const generated = await check("next", "typegen");
  return generated && (await check("tsc", "--noEmit")) ? onePassed : oneFailed;
}

/** Neither keeps all processors busy. */
async function lintAndTypes(): Promise<Totals> {
  return sum(await Promise.all([lint(), types()]));
}

async function vitest(): Promise<Totals> {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${vitestFile}`];
  const ending = await runner("vitest", "run", ...reporters);
  const totals = judged(read(vitestFile, vitestTotals), ending);
  if (totals.failed > 0) failures.push(...(reported(vitestFile, inVitest) ?? []));
  return totals;
}

async function endToEnd(): Promise<Totals> {
  const chromium = await provideChromium(env, timeLeft);
  if (!chromium.found) {
    console.error(chromium.reason);
    return oneFailed;
  }
  console.log(`Chromium: ${chromium.path}`);
  env["CHROMIUM_PATH"] = chromium.path;
  env["E2E_LAST_BEGINNING"] = String(Date.now() + timeLeft() - LAST_TEST_MS);
  const ending = await runner("playwright", "test", "-c", "e2e/playwright.config.ts");
  return judged(read(playwrightFile, playwrightTotals), ending);
}

function command(file: string, args: readonly string[]): Command {
  return { file: join(root, "node_modules/.bin", file), args, env, limit: timeLeft() };
}

/** Milliseconds. A step that starts too late is ended at once, and so counts as failed. */
function timeLeft(): number {
  return Math.max(1, TOTAL_LIMIT_MS - (performance.now() - started));
}

function read(file: string, totals: (report: unknown) => Totals): Totals {
  return reported(file, totals) ?? oneFailed;
}

function reported<T>(file: string, what: (report: unknown) => T): T | undefined {
  try {
    return what(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    console.error(`No usable report at ${file}: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

async function runAll(): Promise<void> {
  process.chdir(root);
  // A report of an earlier run must not speak for a runner that wrote none.
  rmSync(reports, { recursive: true, force: true });
  const steps = [
    ["Lint, format and types", lintAndTypes],
    ["Unit, architecture and integration tests", vitest],
    ["End-to-end tests in Chromium", endToEnd],
  ] as const;
  const results: Totals[] = [];
  const spentOn: string[] = [];
  for (const [heading, step] of steps) {
    if (stopped) break;
    console.log(`\n=== ${heading} ===\n`);
    const spent = stopwatch();
    const result = await step();
    console.log(`\n${heading}: ${totalsLine(result)}`);
    spentOn.push(`${heading}: ${totalsLine(result)}; ${spent()}`);
    results.push(result);
  }
  const totals = sum(results);
  if (failures.length > 0)
    console.log(`\nFailed before the end-to-end tests:\n${failures.join("\n")}`);
  console.log(`\n${spentOn.join("\n")}\nBrowser: ${env["CHROMIUM_PATH"] ?? "none"}`);
  console.log(`\n${totalsLine(totals)}`);
  process.exitCode = totals.failed === 0 && !stopped ? 0 : 1;
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // More than one may come: npm hands on what the terminal has sent to everybody.
  process.on(signal, () => {
    stopped = true;
    endRunning();
  });
}

await runAll();
