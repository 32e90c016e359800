import { spawn } from "node:child_process";
import type { Account } from "./database-account";

export type Finished = { readonly code: number | null; readonly output: string };

type Options = { readonly as: Account; readonly cwd: string; readonly input?: string };

/**
 * Runs a program to its end and yields its exit code and all it said. A program that cannot be
 * started at all counts as one that failed with code null: callers decide by the code.
 */
export function run(
  file: string,
  args: readonly string[],
  { as, cwd, input }: Options,
): Promise<Finished> {
  return new Promise((resolve) => {
    // The caller's PGPORT or PGDATA would reach into a database that is not the caller's.
    const { NODE_ENV, PATH, SYSTEMROOT } = process.env;
    const env = { NODE_ENV, PATH, SYSTEMROOT, LC_ALL: "C" };
    const child = spawn(file, args, { ...as, cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("error", (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.on("close", (code) => resolve({ code, output }));
    // The program may end without reading its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
