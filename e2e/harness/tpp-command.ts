import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "@playwright/test";

const ROOT = join(import.meta.dirname, "../..");

type Settings = { readonly dataDir: string; readonly xs2aUrl: string };
type Ended = { readonly code: number | null; readonly out: string; readonly err: string };
type Running = {
  /** Resolves with the first match in what the command has printed. */
  readonly prints: (pattern: RegExp) => Promise<string>;
  readonly done: Promise<Ended>;
};

const started: (() => Promise<void>)[] = [];

/** Ends each command with all that it has started; for a test's end. */
export async function endTppCommands(): Promise<void> {
  await Promise.all(started.splice(0).map((stop) => stop()));
}

/**
 * What `npm run tpp` starts. With npm before it each command takes half as long again; those of the documents are
 * typed with it.
 */
export const TPP = ["--import", "tsx", "cli/tpp/cli.ts"] as const;

/** The command as a person types it, on a machine without a terminal. */
export function tpp({ dataDir, xs2aUrl }: Settings, ...args: readonly string[]): Running {
  const child = spawn(process.execPath, [...TPP, ...args], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, XS2A_URL: xs2aUrl },
    detached: true,
  });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  const done = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  const prints = async (pattern: RegExp) => {
    await expect.poll(() => pattern.test(out), { timeout: 60_000, message: err }).toBe(true);
    return String(pattern.exec(out)?.[0]);
  };
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid);
    await done;
  };
  started.push(stop);
  return { prints, done };
}
