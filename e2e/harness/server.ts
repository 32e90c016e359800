import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type StartScript, startArguments } from "@/lib/server/testing/start-arguments";
import { isCoreBankApart, startCoreBank } from "./core-bank";
import { onlyGiven } from "./only-given";
import { childrenOf } from "./processes";
import { steadyPort } from "./steady-port";

const ROOT = join(import.meta.dirname, "../..");
/** The first start may have to build, beside the tests of the other suite; in milliseconds. */
const START_PATIENCE = 600_000;
const STOP_PATIENCE = 30_000;

export type ServerSettings = {
  readonly dataDir: string;
  readonly xs2aPort: number;
  readonly webPort: number;
  readonly staffPort: number;
  /** None when it is left out, so that no two servers want the same. */
  readonly bankApiPort?: number;
  readonly xs2aUrl: string;
  readonly webUrl: string;
  readonly staffUrl: string;
  /** What else the server finds in its environment: what several servers of one bank share. */
  readonly shared?: Readonly<Record<string, string>>;
  /** The folder of another checkout, which is started in place of this one. */
  readonly checkout?: string;
};

/** Empty, and so unset, where the bank has a PostgreSQL of its own in its folder. */
export function databaseUrlOf({ shared = {} }: ServerSettings): string {
  const { DATABASE_URL = "" } = shared;
  return DATABASE_URL;
}

/** A bank of its own on free ports. */
export async function freshSettings(dataDir: string): Promise<ServerSettings> {
  const xs2aPort = await steadyPort();
  const webPort = await steadyPort();
  const staffPort = await steadyPort();
  return {
    dataDir,
    xs2aPort,
    webPort,
    staffPort,
    xs2aUrl: `https://localhost:${xs2aPort}`,
    webUrl: `http://localhost:${webPort}`,
    staffUrl: `http://localhost:${staffPort}`,
  };
}

export type RunningServer = {
  readonly pid: number;
  /** All that it and its hosts have written so far. */
  readonly output: () => string;
  /** What Ctrl-C does, and resolves when the process is gone. */
  readonly stop: () => Promise<void>;
  /** What an operator's SIGTERM does; resolves to the exit code, or null when it had to be killed. */
  readonly terminate: () => Promise<number | null>;
  /** kill -9 of it and of its hosts. */
  readonly kill: () => Promise<void>;
};

/** Starts the server, or one host alone, as npm does; resolves when it says that what it has started is ready. */
export async function startServer(
  settings: ServerSettings,
  script: StartScript = "start",
): Promise<RunningServer> {
  const { checkout = ROOT } = settings;
  const core = isCoreBankApart() ? await startCoreBank(`${settings.dataDir}-core`) : undefined;
  const child = spawn(process.execPath, startArguments(script, checkout), {
    cwd: checkout,
    env: environment({ ...settings, shared: { ...core?.settings, ...settings.shared } }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = keepOutput(child, settings);
  const gone = once(child, "exit").then(() => core?.stop());
  const signalled = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await gone;
  };
  if (child.pid === undefined) throw new Error("the server's process could not be made");
  const running: RunningServer = {
    pid: child.pid,
    output,
    stop: async () => {
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_PATIENCE);
      await signalled("SIGINT");
      clearTimeout(late);
    },
    terminate: async () => {
      const late = setTimeout(() => child.kill("SIGKILL"), STOP_PATIENCE);
      await signalled("SIGTERM");
      clearTimeout(late);
      return child.exitCode;
    },
    kill: async () => {
      const hosts = childrenOf(running.pid);
      await signalled("SIGKILL");
      for (const pid of hosts) endAtOnce(pid);
    },
  };
  try {
    await ready(output, child);
  } catch (error) {
    await running.stop();
    throw new Error(`the server did not start:\n${output().slice(-4_000)}`, { cause: error });
  }
  return running;
}

async function ready(output: () => string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_PATIENCE;
  while (Date.now() < end) {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`it ended with ${ended}`);
    if (/^Drawbridge.* is ready/m.test(output())) return;
    await sleep(50);
  }
  throw new Error("it took too long");
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function environment(settings: ServerSettings): NodeJS.ProcessEnv {
  return onlyGiven({
    NODE_ENV: "production",
    SANDBOX: "true",
    DATA_DIR: settings.dataDir,
    XS2A_PORT: String(settings.xs2aPort),
    WEB_PORT: String(settings.webPort),
    BANK_API_PORT: String(settings.bankApiPort ?? 0),
    XS2A_URL: settings.xs2aUrl,
    WEB_URL: settings.webUrl,
    STAFF_PORT: String(settings.staffPort),
    STAFF_URL: settings.staffUrl,
    // All of its browsers are on this machine: what one of them mistypes is not to hold up the others.
    WEB_CLIENT_ADDRESS: "none",
    ...settings.shared,
  });
}

/** In test-results. */
export const logFileOf = ({ webPort }: ServerSettings): string => `server-${webPort}.log`;

/** In test-results, where the reason of a failure is looked for. */
function keepOutput(child: ChildProcess, settings: ServerSettings): () => string {
  const directory = join(ROOT, "test-results");
  mkdirSync(directory, { recursive: true });
  const file = createWriteStream(join(directory, logFileOf(settings)), { flags: "a" });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      file.write(chunk);
    });
  }
  return () => text;
}
