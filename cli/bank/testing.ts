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
  // Given back: other tests of the same worker would find it.
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  const { exitCode, output, errors } = await run(args);
  for (const [name, value] of before) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const line = (text: string) => (text === "" ? "" : `${text}\n`);
  return { code: exitCode, stdout: line(output), stderr: line(errors) };
}
