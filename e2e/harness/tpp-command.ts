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

/** Ends each command with all that npm has started for it; for a test's end. */
export async function endTppCommands(): Promise<void> {
  await Promise.all(started.splice(0).map((stop) => stop()));
}

/** The command as a person types it, on a machine without a terminal. */
export function tpp({ dataDir, xs2aUrl }: Settings, ...args: readonly string[]): Running {
  const child = spawn("npm", ["run", "--silent", "tpp", "--", ...args], {
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
    await expect.poll(() => pattern.test(out), { timeout: 20_000, message: err }).toBe(true);
    return String(pattern.exec(out)?.[0]);
  };
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid);
    await done;
  };
  started.push(stop);
  return { prints, done };
}
