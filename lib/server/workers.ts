import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/log";
import type { Tls } from "./listeners";
import type { Serving } from "./serve";
import type { Shutdown } from "./shutdown";
import type { Order, Said } from "./worker-orders";

/** Before one takes the place of another that has ended before it was ready. */
const AGAIN_MS = 1_000;

type Wanted = {
  readonly count: number;
  readonly program: { readonly file: string; readonly execArgv: readonly string[] };
  /** How long a worker gets to stop. */
  readonly patienceMs: number;
};

/**
 * Processes that share the ports of this one, which takes the connections and hands them out in turn. One
 * that ends without having been asked to is replaced; whoever was just being handed to it hears nothing.
 * Throws when one cannot be started at all.
 */
export async function startWorkers(
  { count, program, patienceMs }: Wanted,
  tls: Tls | undefined,
  shutdown: Shutdown,
): Promise<Serving> {
  cluster.setupPrimary({ exec: program.file, execArgv: [...program.execArgv] });
  const living = new Set<Worker>();
  const { signal } = shutdown;
  let shown = tls;

  const first = (): Order => (signal.aborted ? { order: "stop" } : { order: "serve", tls: shown });

  /** Resolves when it is ready; rejects when it ends before. */
  async function start(): Promise<void> {
    const worker = cluster.fork();
    living.add(worker);
    const ended = once(worker, "exit").then(() => living.delete(worker));
    const ready = new Promise<void>((resolve) => {
      worker.on("message", (said: Said) => {
        if (said === "hears") tell(worker, first());
        if (said === "ready") resolve();
      });
    });
    const endedEarly = ended.then(() => {
      throw new Error("a worker process ended before it was ready");
    });
    await Promise.race([ready, endedEarly]);
    void ended.then(() => replace(worker));
  }

  async function replace({ process: { pid, exitCode, signalCode } }: Worker): Promise<void> {
    if (signal.aborted) return;
    log.error({ pid, exitCode, signalCode }, "a worker process has ended and is replaced");
    for (let isThere = false; !isThere && !signal.aborted; ) {
      isThere = await start().then(
        () => true,
        () => sleep(AGAIN_MS, false, { ref: false }),
      );
    }
  }

  const orderAll = (order: Order) => {
    for (const worker of living) tell(worker, order);
  };
  shutdown.onStop({
    finish: async () => {
      const all = [...living].map((worker) => once(worker, "exit"));
      orderAll({ order: "stop" });
      const late = setTimeout(() => {
        for (const worker of living) worker.process.kill("SIGKILL");
      }, patienceMs);
      await Promise.all(all);
      clearTimeout(late);
    },
    hurry: () => orderAll({ order: "hurry" }),
  });
  await Promise.all(Array.from({ length: count }, start));
  return {
    renew: (renewed) => {
      shown = renewed;
      orderAll({ order: "serve", tls: renewed });
    },
  };
}

/** One that has just ended hears nothing any more. */
function tell(worker: Worker, order: Order): void {
  if (worker.isConnected()) worker.send(order, () => undefined);
}
