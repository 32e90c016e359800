import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import * as z from "zod";

/** A command as a person would type it, and the file its report is written to; without one it counts as one check. */
export type Step = {
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly report?: string;
};

type Totals = Readonly<Record<"passed" | "failed" | "skipped", number>> & {
  readonly failures: readonly string[];
};

const count = z.number().int().nonnegative();
const messages = z.array(z.object({ message: z.string().optional() })).default([]);
const vitestReport = z
  .object({
    numPassedTests: count,
    numFailedTests: count,
    numPendingTests: count,
    numTodoTests: count,
    testResults: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        message: z.string(),
        assertionResults: z.array(
          z.object({
            status: z.string(),
            fullName: z.string(),
            failureMessages: z.array(z.string()).default([]),
          }),
        ),
      }),
    ),
  })
  .transform((report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === "failed");
      return status === "failed" && failed.length === 0
        ? [failure(name, "outside of a test", [message])]
        : failed.map((test) => failure(name, test.fullName, test.failureMessages));
    }),
  }));
const playwrightSpec = z.object({
  ok: z.boolean(),
  title: z.string(),
  file: z.string(),
  tests: z.array(z.object({ results: z.array(z.object({ errors: messages })) })),
});
const playwrightSuite = z.object({
  specs: z.array(playwrightSpec).default([]),
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
});
type PlaywrightSuite = z.infer<typeof playwrightSuite>;
const playwrightReport = z
  .object({
    stats: z.object({ expected: count, unexpected: count, flaky: count, skipped: count }),
    suites: z.array(playwrightSuite),
    errors: messages,
  })
  .transform(({ stats: { expected, unexpected, flaky, skipped }, suites, errors }) => ({
    passed: expected,
    failed: unexpected + flaky,
    skipped,
    failures: [
      ...errors.map(({ message }) => failure("e2e", "outside of a test", [message])),
      ...suites.flatMap(failedSpecs),
    ],
  }));
const anyReport = z.union([
  vitestReport,
  playwrightReport,
  z
    .object({
      ...{ passed: count, failed: count, skipped: count },
      failures: z.array(z.object({ title: z.string(), said: z.string() })),
    })
    .transform((totals) => ({
      ...totals,
      failures: totals.failures.map(({ title, said }) => failure("conformance", title, [said])),
    })),
]);

function failedSpecs(suite: PlaywrightSuite): string[] {
  const failed = suite.specs
    .filter((spec) => !spec.ok)
    .map((spec) =>
      failure(
        `e2e/${spec.file}`,
        spec.title,
        spec.tests
          .flatMap((test) => test.results.flatMap((result) => result.errors))
          .map((error) => error.message),
      ),
    );
  return [...failed, ...suite.suites.flatMap(failedSpecs)];
}

const SAID_CHARACTERS_MAX = 600;

/** One failed test and the start of what it said: .ci/run repeats these lines at its end. */
function failure(file: string, title: string, said: readonly (string | undefined)[]): string {
  const message = stripVTControlCharacters(said.find((one) => one !== undefined) ?? "no message");
  const start = message.replaceAll(/\s+/g, " ").slice(0, SAID_CHARACTERS_MAX);
  return `FAILED: ${relative(process.cwd(), file)}: ${title}: ${start}`;
}

export function vitest(filter = "", env: Readonly<Record<string, string>> = {}): Step {
  // A name of a file has an end, and a filter may have many.
  const report = `test-results/vitest${filter.replaceAll(/\W+/g, "-").slice(0, 100)}.json`;
  const reporters = `--reporter=default --reporter=json --outputFile.json=${report}`;
  return { command: `vitest run ${reporters} ${filter}`.trim(), env, report };
}

/** e2e/playwright.config.ts says where the report is written. */
export function playwright(
  config: "playwright" | "campaigns",
  env: Readonly<Record<string, string>> = {},
): Step {
  const command = `playwright test -c e2e/${config}.config.ts`;
  return { command, env, report: "test-results/e2e.json" };
}

/** Steps that run one after the other. */
type Sequence = Step | readonly Step[];

/** Of the sequences of a list: they wait for a third of their time, for timers and for other processes. */
const SIDE_BY_SIDE_MAX = 3;

/**
 * One step after the other, whether or not one fails, and side by side the sequences of a list, of which no two
 * may write the same report. The last line is the totals, and 0 the exit code of no failure.
 */
export async function runSteps(steps: readonly (Step | readonly Sequence[])[]): Promise<void> {
  const all = { passed: 0, failed: 0, skipped: 0 };
  const lines: string[] = [];
  const failures: string[] = [];
  let stopped = false;
  // The terminal sends it to the running step as well, which ends by itself.
  process.on("SIGINT", () => {
    stopped = true;
  });
  const follow = async (sequence: Sequence, place: number) => {
    for (const step of [sequence].flat()) {
      if (stopped) return;
      const { line, totals } = await timed(step, place === 0);
      lines.push(line);
      failures.push(...totals.failures);
      for (const key of ["passed", "failed", "skipped"] as const) all[key] += totals[key];
    }
  };
  for (const step of steps) {
    const sequences: readonly Sequence[] = "command" in step ? [step] : step;
    const waiting = sequences.entries();
    // Each takes the next sequence when it has come to the end of one.
    const worker = async () => {
      for (const [place, sequence] of waiting) await follow(sequence, place);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE_MAX }, worker));
  }
  console.log(["", ...lines, "", ...failures, inOneLine(all)].join("\n"));
  process.exitCode = all.failed === 0 && !stopped ? 0 : 1;
}

/** What `isShown` is shown as it comes; the output of another step beside it follows in one piece when that has ended. */
async function timed(step: Step, isShown: boolean) {
  const title = `\n=== ${step.command}\n`;
  if (isShown) console.log(title);
  const started = performance.now();
  const { totals, kept } = await totalsOf(step, isShown);
  const seconds = Math.round((performance.now() - started) / 1_000);
  if (!isShown) console.log(`${title}\n${kept}`);
  return { totals, line: `${step.command}: ${inOneLine(totals)}; ${seconds} s` };
}

/** A bad exit that no failed test explains is a failure, and so is a report that was not written. */
async function totalsOf({ command, env, report }: Step, isShown: boolean) {
  // An earlier report must not count for a step that writes none.
  if (report !== undefined) rmSync(report, { force: true });
  const ended = await run(
    command,
    { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
    isShown,
    report === undefined,
  );
  const failed = ended.well ? 0 : 1;
  const totals = report === undefined ? asOne(command, ended) : countedIn(report, failed, command);
  return { kept: ended.kept, totals };
}

/** A command without a report is one check, and the last it said tells why it failed. */
function asOne(command: string, { well, kept }: Ended): Totals {
  if (well) return { passed: 1, failed: 0, skipped: 0, failures: [] };
  const said = stripVTControlCharacters(kept)
    .replaceAll(/\s+/g, " ")
    .slice(-SAID_CHARACTERS_MAX)
    .trim();
  return { passed: 0, failed: 1, skipped: 0, failures: [`FAILED: ${command}: … ${said}`] };
}

function countedIn(report: string, failed: 0 | 1, command: string): Totals {
  try {
    const totals = anyReport.parse(JSON.parse(readFileSync(report, "utf8")));
    if (totals.failed >= failed) return totals;
    const { failures } = totals;
    const unexplained = [`FAILED: ${command}: a bad exit that no test explains`];
    return { ...totals, failed, failures: failures.length > 0 ? failures : unexplained };
  } catch (error) {
    console.error(`No usable report of ${command}:`, error);
    return { passed: 0, failed: 1, skipped: 0, failures: [`FAILED: ${command}: no report`] };
  }
}

type Ended = { readonly well: boolean; readonly kept: string };

/** What is shown has the terminal for itself, unless it is kept too. */
function run(
  command: string,
  env: NodeJS.ProcessEnv,
  isShown: boolean,
  isKept: boolean,
): Promise<Ended> {
  const [file = "", ...args] = command.split(" ");
  const output = isShown && !isKept ? "inherit" : "pipe";
  return new Promise((resolve) => {
    const child = spawn(file, args, { env, stdio: ["ignore", output, output] });
    let kept = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        kept += text;
        if (isShown) process.stdout.write(text);
      });
    }
    child.once("error", (error) => {
      console.error(error.message);
      resolve({ well: false, kept });
    });
    child.once("close", (code) => resolve({ well: code === 0, kept }));
  });
}

function inOneLine({ passed, failed, skipped }: Omit<Totals, "failures">): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
