import { execFile } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** The command as a person runs it; what `.env` may say does not count where `env` says otherwise. */
export function runBank(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const program = ["--import", import.meta.resolve("tsx"), path.join(root, "bank/cli.ts"), ...args];
  return new Promise((resolve) => {
    const options = { cwd: root, env: { ...process.env, ...env } };
    execFile(process.execPath, program, options, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}
