import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export const RETRY_MS = 100;
/** A bank that is away for longer does not come back. */
const PATIENCE_MS = 180_000;

/** Again and again until there is an answer. */
export async function insist<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const result = await attempt();
    if (result !== undefined) return result;
    await sleep(RETRY_MS);
  }
  throw new Error("the bank does not answer any more");
}

/** Now and then. */
export async function maybe<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  return randomInt(2) === 0 ? act() : undefined;
}
