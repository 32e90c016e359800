import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { onlyGiven } from "./only-given";
import { steadyPort } from "./steady-port";

const ROOT = join(import.meta.dirname, "../..");
/** In milliseconds, and no promise about speed: its database is made at the first start. */
const START_PATIENCE = 180_000;

export type RunningCoreBank = {
  /** Of a server in front of it. */
  readonly settings: Readonly<Record<string, string>>;
  /** As a signal does it; SIGTERM when none is given. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
};

/** With CORE_BANK=http every bank of the tests has its core bank in a process of its own. */
export function isCoreBankApart(): boolean {
  return process.env["CORE_BANK"] === "http";
}

/** As `npm run core-bank` does it; resolves when it may be called. */
export async function startCoreBank(dataDir: string, given?: number): Promise<RunningCoreBank> {
  const port = given ?? (await steadyPort());
  const program = ["cli/core-bank/cli.ts", "--port", `${port}`, "--data", dataDir];
  const stop = await startProgram(program, "The core bank is ready");
  const client = join(dataDir, "client.pem");
  return {
    settings: {
      CORE_BANK_URL: `https://localhost:${port}`,
      CORE_BANK_TLS_CERT: client,
      CORE_BANK_TLS_KEY: client,
      CORE_BANK_TLS_CA: join(dataDir, "ca.pem"),
    },
    stop,
  };
}

/** A program of `cli`, until it is stopped; resolves when it has said that it is ready. */
export async function startProgram(program: readonly string[], ready: string) {
  const child = spawn(process.execPath, ["--import", "tsx", ...program], {
    cwd: ROOT,
    env: onlyGiven({ NODE_ENV: "production" }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(ready)) resolve();
    });
    void gone.then(() => reject(new Error(`${program[0]} did not start:\n${output}`)));
    setTimeout(() => reject(new Error(`${program[0]} took too long`)), START_PATIENCE).unref();
  });
  return async (signal: NodeJS.Signals = "SIGTERM") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await gone;
  };
}
