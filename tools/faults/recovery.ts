import { setTimeout as sleep } from "node:timers/promises";
import type { ServerSettings } from "@/e2e/harness/server";
import type { Size } from "./campaign";
import type { Run } from "./tpp";

/** Promised from the database's return on, with no help from anybody. */
const RECOVERED_WITHIN_MS = 2_000;
const ASKED_EVERY_MS = 20;
/** A server that is back later than this does not come back. */
export const PATIENCE_MS = 60_000;

/**
 * From now until every one of the servers answers from its database again. Measured at each by itself,
 * with a request that reads one row.
 */
export async function recovered(
  run: Run,
  servers: readonly ServerSettings[],
  { judgesTimes }: Pick<Size, "judgesTimes">,
): Promise<void> {
  const began = performance.now();
  await Promise.all(servers.map((server) => untilItAnswers(server, began)));
  const took = Math.round(performance.now() - began);
  run.tally["slowest recovery in ms"] = Math.max(run.tally["slowest recovery in ms"], took);
  if (took > (judgesTimes ? RECOVERED_WITHIN_MS : PATIENCE_MS)) {
    run.notebook.delays.push(`${took} ms from the database's return to the last server's`);
  }
}

async function untilItAnswers({ webPort }: ServerSettings, began: number): Promise<void> {
  while (performance.now() - began < PATIENCE_MS) {
    const answer = await fetch(`http://127.0.0.1:${webPort}/sandbox/clock`).catch(() => null);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer?.ok === true) return;
    await sleep(ASKED_EVERY_MS);
  }
}
