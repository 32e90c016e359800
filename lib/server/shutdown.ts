import { log } from "@/lib/log";

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

/** SIGTERM, Ctrl-C and a closed terminal stop the server; a second Ctrl-C does not wait any more. */
export function stopOnSignals(shutdown: Shutdown): void {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (shutdown.signal.aborted) return shutdown.hurry();
      void shutdown.stop().then(() => process.exit(0));
    });
  }
}
