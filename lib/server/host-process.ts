import cluster from "node:cluster";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Config, config, type Settings } from "@/lib/config";
import { bankProfile } from "@/lib/profile/in-force";
import { BUILT_SERVER } from "./build";
import { answeringHealth, coreBankProbe, startReadiness } from "./health";
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
  type Message,
  type Order,
  runUntilStopped,
  type Shutdown,
  type Step,
  startChild,
  together,
} from "./processes";

type HostProgram = {
  readonly name: string;
  /** The file of the built server that runs it. */
  readonly file: string;
  readonly url: (settings: Settings) => string;
  /** The first is the main one. */
  readonly ports: (settings: Settings) => readonly Port[];
  readonly metrics: (settings: Settings) => Port | undefined;
  /** Background jobs; they run in one process, whatever WORKERS is. */
  readonly jobs: (config: Config) => readonly Step[];
  /** Whether it prepares for both hosts when the launcher has started both. */
  readonly prepares: boolean;
  /** For each of its ports. Must not use the database, whose address comes later. */
  readonly open: (settings: Settings, shutdown: Shutdown) => Promise<readonly OpenedHost[]>;
};

export type OpenedHost = {
  readonly host: Host;
  /** Begun before the host listens, and ended after its last request. */
  readonly records?: () => Step;
  /** Runs as long as the host listens. */
  readonly beside?: (listener: Listener) => Step;
};

/** Runs one of the two hosts in this process, or in as many as WORKERS says below it. */
export function runHost(program: HostProgram): Promise<void> {
  return runUntilStopped(async (shutdown) => {
    if (cluster.isPrimary) await start(program, shutdown);
    else await startWorker(program, shutdown);
    send("ready");
  });
}

async function start(program: HostProgram, shutdown: Shutdown): Promise<void> {
  const isLaunched = process.argv.includes(LAUNCHED);
  // Before the first await: it may have been sent already.
  const environment = isLaunched ? environmentGiven(shutdown.signal) : undefined;
  environment?.catch(() => undefined);
  const settings = loadSettings();
  // A mistake in it is said before anything else, and by one of two hosts.
  if (program.prepares || !isLaunched) bankProfile();
  for (const port of program.ports(settings)) await checkPort(port);
  // While the database starts, or is brought up to date.
  const opening = settings.WORKERS === 1 ? program.open(settings, shutdown) : undefined;
  opening?.catch(() => undefined);
  setEnvironment((await environment) ?? {});
  if (program.prepares || !isLaunched) {
    const { prepare } = await import("./prepare");
    const prepared = await prepare(loadSettings());
    setEnvironment(prepared);
    send({ prepared });
  }
  shutdown.signal.throwIfAborted();
  for (const job of program.jobs(config())) shutdown.onStop(job);
  const metrics = program.metrics(settings);
  if (metrics !== undefined) {
    const { startMetrics } = await import("./metrics");
    shutdown.onStop(await startMetrics(metrics, config()));
  }
  if (opening === undefined) await startWorkers(program, settings, shutdown);
  else await answer(program, opening, shutdown);
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

/** Processes that share this one's port; it accepts the connections and passes them on in turn. */
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
  await Promise.all(workers.map(({ received }) => received(isReady)));
  for (const { keep } of workers) keep();
}

async function startWorker(program: HostProgram, shutdown: Shutdown): Promise<void> {
  const settings = loadSettings();
  if (program.metrics(settings) !== undefined) (await import("./metrics")).answerForMetrics();
  await answer(program, program.open(settings, shutdown), shutdown);
}

/** Answers requests in this process; the environment is complete. */
async function answer(
  { file }: HostProgram,
  opening: Promise<readonly OpenedHost[]>,
  shutdown: Shutdown,
): Promise<void> {
  const hosts = await opening;
  const tracing = await tracingOf(`drawbridge-${path.parse(file).name}`);
  if (tracing !== undefined) shutdown.onStop(tracing);
  const readiness = startReadiness(config().DATABASE_URL, shutdown.signal);
  shutdown.onStop(readiness);
  shutdown.signal.throwIfAborted();
  const health = { ...readiness, isCoreBankReachable: await coreBankProbe(config(), shutdown) };
  for (const { records } of hosts) if (records !== undefined) shutdown.onStop(records());
  const listeners: Listener[] = [];
  const closing: Step[] = [];
  shutdown.onStop(together(closing));
  shutdown.onStop(draining(listeners, drainSeconds(config())));
  for (const { host, beside } of hosts) {
    const handle = tracing?.traced(host.handle) ?? host.handle;
    const listener = await listen({ ...host, handle: answeringHealth(handle, health) });
    listeners.push(listener);
    closing.push({ finish: () => listener.close(GRACE_MS), hurry: () => listener.cut() });
    if (beside !== undefined) shutdown.onStop(beside(listener));
  }
}

/** Loaded where traces are sent, since it takes memory. */
async function tracingOf(service: string) {
  const endpoint = config().OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import("./tracing");
  return startTracing(endpoint, service);
}

/** To the launcher or the primary, if there is one. */
function send(message: Message): void {
  process.send?.(message);
}

/**
 * The pause between "not ready" and the end, in which balancers notice and each answer ends its connection. Without it
 * a client could send a request on a connection that is being closed, and not know whether to repeat it.
 */
export function draining(listeners: readonly Pick<Listener, "drain">[], seconds: number): Step {
  const hurried = new AbortController();
  return {
    finish: async () => {
      for (const { drain } of listeners) drain();
      const { signal } = hurried;
      await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
    },
    hurry: () => hurried.abort(),
  };
}
