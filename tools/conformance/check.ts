import { relative } from "node:path";
import type { PsuByForms } from "@/e2e/harness/psu-by-forms";
import type { ServerSettings } from "@/e2e/harness/server";
import type { TestTpp, TestTppOptions } from "@/e2e/harness/test-tpp";

/** What a suite works with: a bank of its own, TPPs and a PSU. */
export type Setting = {
  readonly bank: ServerSettings;
  readonly newTpp: (options?: Partial<TestTppOptions>) => Promise<TestTpp>;
  /** A PSU with a browser of their own. */
  readonly newPsu: () => PsuByForms;
};

/** One line of the report; it fails by throwing. */
export type Check = { readonly name: string; readonly run: () => unknown };

/** The outside suite of this part of the run; a check that others need is the first. */
export type Suite = {
  readonly name: string;
  readonly checks: (setting: Setting) => Promise<readonly Check[]>;
};

/** Thrown where something is missing that the project does not bring along. */
export class SkippedError extends Error {
  override readonly name = "SkippedError";
}

export type Counts = {
  passed: number;
  failed: number;
  skipped: number;
  /** Which, and why. */
  readonly failures: { readonly title: string; readonly said: string }[];
};

/** Always with a reason: without one `assert.ok` reads the source for it, and finds no end in what tsx has made of it. */
export function hold(condition: boolean, reason: string): void {
  if (!condition) throw new Error(reason);
}

export function oneOf<T>(value: T, allowed: readonly T[]): void {
  hold(allowed.includes(value), `${String(value)} is none of ${allowed.join(", ")}`);
}

/** Runs the checks in their order and says of each how it went. */
export async function runSuite({ name, checks }: Suite, setting: Setting, counts: Counts) {
  console.log(`\n${name}`);
  const all = await checks(setting).catch((error: unknown) => [
    { name: "is prepared", run: () => Promise.reject(error) },
  ]);
  for (const check of all) {
    try {
      await check.run();
      counts.passed += 1;
      console.log(`  ok       ${check.name}`);
    } catch (error) {
      const isSkipped = error instanceof SkippedError;
      const said = inWords(error);
      counts[isSkipped ? "skipped" : "failed"] += 1;
      if (!isSkipped) counts.failures.push({ title: `${name}: ${check.name}`, said });
      console.log(`  ${isSkipped ? "skipped " : "FAILED  "} ${check.name}: ${said}`);
    }
  }
}

function inWords(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [at] = /\/tools\/conformance\/[\w.]+:\d+/.exec(error.stack ?? error.message) ?? [];
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  const place = at === undefined ? "" : ` at ${relative("/tools/conformance", at)}`;
  return `${error.message.replaceAll(/\s*\n\s*/g, " ")}${cause}${place}`;
}
