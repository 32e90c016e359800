import { log } from "@/lib/log";
import type { Order } from "./children";

export type Step = {
  /** Ends what was begun, and never takes for ever. */
  finish(): Promise<void>;
  /** Called when somebody asks a second time, while `finish` runs. */
  hurry?(): void;
};

/** What was begun and has to be ended, in the order it was begun. */
export type Shutdown = {
  /** Aborted as soon as the process is asked to stop. */
  readonly signal: AbortSignal;
  onStop(step: Step): void;
  /** Ends everything, last begun first, so that the database outlives whoever uses it. */
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

/** Ends at once those that are there by then. */
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
export function stopOnSignals(shutdown: Shutdown): void {
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
export function stopOnOrders(shutdown: Shutdown): void {
  process.on("message", (order: Order) => {
    if (order === "hurry") shutdown.hurry();
    if (order === "stop") void shutdown.stop().then(() => process.exit(0));
  });
  process.on("disconnect", () => process.exit(1));
}
