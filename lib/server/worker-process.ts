import type { Tls } from "./listeners";
import { runUntilStopped } from "./run";
import type { Serving } from "./serve";
import { newShutdown, type Shutdown } from "./shutdown";
import type { Order, Said } from "./worker-orders";

type Open = (tls: Tls | undefined, shutdown: Shutdown) => Promise<Serving>;

/**
 * Runs this process as a worker of another, which tells it what to serve and when to stop. A signal stops
 * it too. It ends by itself when that process has gone: Node's cluster sees to it.
 */
export async function runWorker(open: Open): Promise<void> {
  const shutdown = newShutdown();
  let serving: Promise<Serving> | undefined;
  process.on("message", (message: Order) => {
    if (message.order === "stop") void shutdown.stop().then(() => process.exit(0));
    if (message.order === "hurry") shutdown.hurry();
    if (message.order !== "serve") return;
    const { tls } = message;
    if (serving === undefined) void runUntilStopped(() => begin(tls), shutdown);
    else if (tls !== undefined) void serving.then(({ renew }) => renew(tls));
  });

  say("hears");

  async function begin(tls: Tls | undefined): Promise<void> {
    serving = open(tls, shutdown);
    await serving;
    say("ready");
  }
}

function say(said: Said): void {
  process.send?.(said);
}
