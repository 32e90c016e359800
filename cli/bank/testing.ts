import { onTestFinished, vi } from "vitest";
import { run } from "./run";

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/**
 * A command line as `cli.ts` runs it, in this process: a process for each would cost the tests a minute.
 * What `.env` may say does not count where `env` says otherwise.
 */
export async function runBank(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  // Gone with the test: other files of the same worker would find it.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { exitCode, output, errors } = await run(args);
  const line = (text: string) => (text === "" ? "" : `${text}\n`);
  return { code: exitCode, stdout: line(output), stderr: line(errors) };
}
