import cluster from "node:cluster";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, config, type Settings } from "@/lib/config";
import { BUILT_SERVER } from "./build";
import { answeringHealth, startReadiness } from "./health";
import {
  drainSeconds,
  GRACE_MS,
  LAUNCHED,
  loadSettings,
  type Port,
  ROOT,
  setEnvironment,
  stopMs,
} from "./hosts";
import { checkPort, type Host, type Listener, listen } from "./listeners";
import {
  type Child,
  type Environment,
  isReady,
  type Order,
  runUntilStopped,
  type Said,
  type Shutdown,
  type Step,
  startChild,
  together,
} from "./processes";
import { type RenewedTls, startTlsRenewal } from "./tls";

type HostProgram = {
  readonly name: string;
  /** The file of the built server that runs it. */
  readonly file: string;
  readonly url: (settings: Settings) => string;
  readonly port: (settings: Settings) => Port;
  /** What goes on beside requests, in one process however many answer them. */
  readonly jobs: (config: Config) => readonly Step[];
  /** Whether it does so for the other one as well, where the launcher has started both. */
  readonly prepares: boolean;
  /** What it is told later, its database above all, is not used yet. */
  readonly open: (settings: Settings, shutdown: Shutdown) => Promise<OpenedHost>;
};

type OpenedHost = {
  readonly host: Host;
  /** Where the TLS certificate is the sandbox's own. */
  readonly renewedTls?: RenewedTls | undefined;
};

/** Runs one of the two hosts in this process, or in as many as WORKERS says below it. */
export function runHost(program: HostProgram): Promise<void> {
  return runUntilStopped(async (shutdown) => {
    if (cluster.isPrimary) await start(program, shutdown);
    else await answer(program.open(loadSettings(), shutdown), shutdown);
    say("ready");
  });
}

async function start(program: HostProgram, shutdown: Shutdown): Promise<void> {
  const isLaunched = process.argv.includes(LAUNCHED);
  // Before anything is waited for: it may have been sent already.
  const environment = isLaunched ? environmentGiven(shutdown.signal) : undefined;
  environment?.catch(() => undefined);
  const settings = loadSettings();
  await checkPort(program.port(settings));
  // While the database starts, or is brought up to date.
  const opening = settings.WORKERS === 1 ? program.open(settings, shutdown) : undefined;
  opening?.catch(() => undefined);
  setEnvironment((await environment) ?? {});
  if (program.prepares || !isLaunched) {
    const { prepare } = await import("./prepare");
    const prepared = await prepare(loadSettings());
    setEnvironment(prepared);
    say({ prepared });
  }
  shutdown.signal.throwIfAborted();
  for (const job of program.jobs(config())) shutdown.onStop(job);
  if (opening === undefined) await startWorkers(program, settings, shutdown);
  else await answer(opening, shutdown);
  if (!isLaunched) console.log(`Drawbridge: ${program.name} is ready at ${program.url(settings)}`);
}

function environmentGiven(stopping: AbortSignal): Promise<Environment> {
  return new Promise((resolve, fail) => {
    stopping.addEventListener("abort", () => fail(stopping.reason));
    process.on("message", (order: Order) => {
      if (typeof order === "object") resolve(order.environment);
    });
  });
}

/** Processes that share the port of this one, which takes the connections and hands them out in turn. */
async function startWorkers(
  { name, file }: HostProgram,
  settings: Settings,
  shutdown: Shutdown,
): Promise<void> {
  cluster.setupPrimary({ exec: path.join(ROOT, BUILT_SERVER, file), args: [] });
  const program = {
    name: `a process of ${name}`,
    fork: () => cluster.fork().process,
    stopMs: stopMs(settings),
  };
  const workers: Child[] = [];
  shutdown.onStop(together(workers));
  for (let number = 1; number <= settings.WORKERS; number += 1) {
    workers.push(startChild(program, shutdown.signal));
  }
  await Promise.all(workers.map(({ says }) => says(isReady)));
  for (const { keep } of workers) keep();
}

/** Answers requests in this process. The environment is complete by then, and so is the build. */
async function answer(opening: Promise<OpenedHost>, shutdown: Shutdown): Promise<void> {
  const { host, renewedTls } = await opening;
  const readiness = startReadiness(config().DATABASE_URL, shutdown.signal);
  shutdown.onStop(readiness);
  const listeners: Listener[] = [];
  shutdown.onStop(closing(listeners, GRACE_MS));
  shutdown.signal.throwIfAborted();
  const listener = await listen({ ...host, handle: answeringHealth(host.handle, readiness) });
  listeners.push(listener);
  shutdown.onStop(draining(listeners, drainSeconds(config())));
  if (renewedTls !== undefined) shutdown.onStop(startTlsRenewal(listener, renewedTls));
}

/** To the launcher, or the process that keeps the workers; to nobody where there is none. */
function say(said: Said): void {
  process.send?.(said);
}

/**
 * Ends the hosts at once, those that are open by then: while one lets its last requests end, the other
 * must not take new ones.
 */
export function closing(
  listeners: readonly Pick<Listener, "close" | "cut">[],
  graceMs: number,
): Step {
  return {
    finish: async () => {
      await Promise.all(listeners.map((listener) => listener.close(graceMs)));
    },
    hurry: () => {
      for (const listener of listeners) listener.cut();
    },
  };
}

/**
 * The pause between "not ready" and the end: balancers notice, and whoever keeps a connection learns
 * with its next answer that it ends. Without it a request could go out on a connection in the moment in
 * which it is closed, and its sender could not know whether to send it again.
 */
export function draining(listeners: readonly Pick<Listener, "drain">[], seconds: number): Step {
  const hurried = new AbortController();
  return {
    finish: async () => {
      for (const listener of listeners) listener.drain();
      const { signal } = hurried;
      await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
    },
    hurry: () => hurried.abort(),
  };
}
