import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { log } from "@/lib/log";
import type { Step } from "./shutdown";

export type Environment = Readonly<Record<string, string>>;

/** What a process says to the one that has started it: what it has prepared for the others; that it answers requests. */
export type Said = "ready" | { readonly prepared: Environment };
/** What is said to it. */
export type Order = "stop" | "hurry" | { readonly environment: Environment };

/** From the end of a process to its next start; twice as long each time, until one has lasted. */
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 30_000;
const LASTED_MS = 60_000;

type Program = {
  readonly name: string;
  readonly fork: () => ChildProcess;
  /** How long it gets to stop, in milliseconds. */
  readonly stopMs: number;
};

export const isReady = (said: Said) => said === "ready" || undefined;
export const whatIsPrepared = (said: Said) => (said === "ready" ? undefined : said.prepared);

export type Child = Step & {
  /** Resolves with what the first process says, when it is wanted; throws when that process ends before. */
  readonly says: <Wanted>(wanted: (said: Said) => Wanted | undefined) => Promise<Wanted>;
  /** From now on another takes the place of one that ends. */
  readonly keep: () => void;
};

/** Starts the program in a process of its own. `stopping` is aborted when this process is asked to stop. */
export function startChild({ name, fork, stopMs }: Program, stopping: AbortSignal): Child {
  let child = fork();
  let begun = performance.now();
  let pauseMs = PAUSE_MS;
  let pause: NodeJS.Timeout | undefined;

  const tell = (order: Order) => {
    // One whose end has not been noticed yet hears nothing.
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
    says: <Wanted>(wanted: (said: Said) => Wanted | undefined) => {
      const heard = new Promise<Wanted>((resolve) => {
        child.on("message", (said: Said) => {
          const value = wanted(said);
          if (value !== undefined) resolve(value);
        });
      });
      return Promise.race([heard, endOf(name, child)]);
    },
    keep,
    finish: async () => {
      clearTimeout(pause);
      if (hasEnded(child)) return;
      const ended = once(child, "exit");
      tell("stop");
      const late = setTimeout(() => child.kill("SIGKILL"), stopMs);
      await ended;
      clearTimeout(late);
    },
    hurry: () => tell("hurry"),
  };
}

async function endOf(name: string, child: ChildProcess): Promise<never> {
  if (!hasEnded(child)) await once(child, "exit");
  throw new ChildEndedError(name, child);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** A process that had not come to its start's end. With an exit code it has said why itself. */
export class ChildEndedError extends Error {
  override readonly name = "ChildEndedError";

  constructor(name: string, { signalCode }: Pick<ChildProcess, "signalCode">) {
    super(signalCode === null ? "" : `${name} was ended with ${signalCode} before it was ready`);
  }
}
