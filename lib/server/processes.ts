import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { SettingError } from "@/lib/config";
import { log } from "@/lib/log";
import { ProfileError } from "@/lib/profile/read";
import { BuildError } from "./build";

/** How long an interrupted start may take to come to an end. */
const settleMs = 5_000;

/** Runs a process until it is asked to stop; a start that fails ends it with 1. */
export async function runUntilStopped(
  start: (shutdown: Shutdown) => Promise<void>,
  shutdown: Shutdown = newShutdown(),
): Promise<void> {
  stopOnSignals(shutdown);
  stopOnOrders(shutdown);
  const starting = start(shutdown);
  // Begun first, so ended last: what a start is making is not left half made.
  shutdown.onStop({ finish: () => settled(starting) });
  await starting.catch(async (error: unknown) => {
    // A start that was stopped in the middle fails, as expected.
    if (shutdown.signal.aborted) return;
    const words = inWords(error);
    if (words !== "") console.error(words);
    await shutdown.stop();
    process.exit(1);
  });
}

async function settled(starting: Promise<void>): Promise<void> {
  const ended = starting.catch(() => undefined);
  await Promise.race([ended, sleep(settleMs, undefined, { ref: false })]);
}

/** A sentence for what the operator can change; a stack for our own faults. */
function inWords(error: unknown): string {
  if (error instanceof ProfileError) return `BANK_PROFILE is refused:\n${error.message}`;
  if (error instanceof SettingError || error instanceof ChildEndedError) return error.message;
  if (error instanceof BuildError) return `The build failed:\n${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export type Environment = Readonly<Record<string, string>>;

/** A message of a child process: what it has prepared for the other one, or that it answers requests. */
export type Message = "ready" | { readonly prepared: Environment };
export type Order = "stop" | "hurry" | { readonly environment: Environment };

/** From the end of a process to its next start; twice as long each time, until one has lasted. */
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 30_000;
const LASTED_MS = 60_000;

type Program = {
  readonly name: string;
  readonly fork: () => ChildProcess;
  /** How long it may take to stop, in milliseconds. */
  readonly stopMs: number;
};

export const isReady = (message: Message) => message === "ready" || undefined;
export const whatIsPrepared = (message: Message) =>
  message === "ready" ? undefined : message.prepared;

export type Child = Step & {
  /** The first process's message that is `wanted`; throws when that process ends before. */
  readonly received: <Wanted>(wanted: (message: Message) => Wanted | undefined) => Promise<Wanted>;
  /** From now on a process that ends is replaced. */
  readonly keep: () => void;
};

/** Starts the program in a process of its own. `stopping` is aborted when this process is asked to stop. */
export function startChild({ name, fork, stopMs }: Program, stopping: AbortSignal): Child {
  let child = fork();
  let begun = performance.now();
  let pauseMs = PAUSE_MS;
  let pause: NodeJS.Timeout | undefined;

  const send = (order: Order) => {
    if (child.connected) child.send(order, () => undefined);
  };
  const startAgain = () => {
    child = fork();
    begun = performance.now();
    keep();
  };
  const replace = () => {
    if (stopping.aborted) return;
    if (performance.now() - begun > LASTED_MS) pauseMs = PAUSE_MS;
    const { pid, exitCode, signalCode } = child;
    log.error({ pid, exitCode, signalCode }, `${name} has ended, next start in ${pauseMs} ms`);
    pause = setTimeout(startAgain, pauseMs);
    pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX);
  };
  const keep = () => {
    if (hasEnded(child)) replace();
    else child.once("exit", replace);
  };

  return {
    received: <Wanted>(wanted: (message: Message) => Wanted | undefined) => {
      const received = new Promise<Wanted>((resolve) => {
        child.on("message", (message: Message) => {
          const value = wanted(message);
          if (value !== undefined) resolve(value);
        });
      });
      return Promise.race([received, endOf(name, child)]);
    },
    keep,
    finish: async () => {
      clearTimeout(pause);
      if (hasEnded(child)) return;
      const ended = once(child, "exit");
      send("stop");
      const late = setTimeout(() => child.kill("SIGKILL"), stopMs);
      await ended;
      clearTimeout(late);
    },
    hurry: () => send("hurry"),
  };
}

async function endOf(name: string, child: ChildProcess): Promise<never> {
  if (!hasEnded(child)) await once(child, "exit");
  throw new ChildEndedError(name, child);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** A process ended during its start. One that failed has printed why itself. */
class ChildEndedError extends Error {
  override readonly name = "ChildEndedError";

  constructor(
    name: string,
    { exitCode, signalCode }: Pick<ChildProcess, "exitCode" | "signalCode">,
  ) {
    const hasFailed = exitCode !== null && exitCode > 0;
    super(hasFailed ? "" : `${name} was ended before it was ready (${signalCode ?? "SIGTERM"})`);
  }
}

export type Step = {
  /** Ends what was begun, and never takes for ever. */
  finish(): Promise<void>;
  /** Called on a second request to stop, while `finish` runs. */
  hurry?(): void;
};

/** What was begun and has to be ended, in the order it was begun. */
export type Shutdown = {
  /** Aborted as soon as the process is asked to stop. */
  readonly signal: AbortSignal;
  onStop(step: Step): void;
  /** Ends everything, last begun first, so that the database outlives what uses it. */
  stop(): Promise<void>;
  hurry(): void;
};

export function newShutdown(): Shutdown {
  const controller = new AbortController();
  const steps: Step[] = [];
  let stopped: Promise<void> | undefined;
  const finishAll = async () => {
    for (const { finish } of steps.toReversed()) {
      await finish().catch((error: unknown) => log.error({ err: error }, "a part did not stop"));
    }
  };
  return {
    signal: controller.signal,
    onStop: (step) => void steps.push(step),
    stop: () => {
      controller.abort();
      stopped ??= finishAll();
      return stopped;
    },
    hurry: () => {
      for (const { hurry } of steps) hurry?.();
    },
  };
}

/** Ends them at once; `steps` may still grow until then. */
export function together(steps: readonly Step[]): Step {
  return {
    finish: async () => {
      await Promise.all(steps.map(({ finish }) => finish()));
    },
    hurry: () => {
      for (const { hurry } of steps) hurry?.();
    },
  };
}

/** SIGTERM, Ctrl-C and a closed terminal stop the server; a second Ctrl-C does not wait any more. */
function stopOnSignals(shutdown: Shutdown): void {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (shutdown.signal.aborted) return shutdown.hurry();
      void shutdown.stop().then(() => process.exit(0));
    });
  }
}

/**
 * The process that has started this one stops it by a message: a signal that reached both, as a terminal's does, would
 * count as the second. Where that process is gone, this one ends at once, and leaves its port to the next.
 */
function stopOnOrders(shutdown: Shutdown): void {
  process.on("message", (order: Order) => {
    if (order === "hurry") shutdown.hurry();
    if (order === "stop") void shutdown.stop().then(() => process.exit(0));
  });
  process.on("disconnect", () => process.exit(1));
}

type Turns = {
  readonly everySeconds: number;
  /** Called again and again, never twice at once; true when there is more to do at once. `stop` waits for its end. */
  readonly turn: (stopping: AbortSignal) => Promise<boolean>;
};

/** Begins at once. What fails is logged, and tried again at the next turn. */
export function repeat({ everySeconds, turn }: Turns): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      const more = await turn(signal).catch(logFailure);
      const pause = more ? 0 : everySeconds * 1_000;
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

function logFailure(error: unknown): false {
  log.error({ err: error }, "a turn failed");
  return false;
}
