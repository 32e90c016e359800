import { setTimeout as sleep } from "node:timers/promises";
import { SettingError } from "@/lib/config";
import { BuildError } from "./build";
import { ChildEndedError } from "./children";
import { newShutdown, type Shutdown, stopOnOrders, stopOnSignals } from "./shutdown";

/** How long a start that is interrupted gets to come to its next stop. */
const settleMs = 5_000;

/** Runs a process from its start until somebody asks it to stop; a start that fails ends it with 1. */
export async function runUntilStopped(
  start: (shutdown: Shutdown) => Promise<void>,
  shutdown: Shutdown = newShutdown(),
): Promise<void> {
  stopOnSignals(shutdown);
  stopOnOrders(shutdown);
  const starting = start(shutdown);
  // Begun first, so ended last: what is being made when the stop comes is not left half made.
  shutdown.onStop({ finish: () => settled(starting) });
  await starting.catch(async (error: unknown) => {
    // Whoever asked to stop in the middle knows why the rest failed.
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

/** Settings are answered with a sentence; anything else is a fault of ours, and shows where. */
function inWords(error: unknown): string {
  if (error instanceof SettingError || error instanceof ChildEndedError) return error.message;
  if (error instanceof BuildError) return `The build failed:\n${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
