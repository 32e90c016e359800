import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Size } from "./campaign";
import type { Run } from "./tpp";
import type { Moment } from "./traffic";

/** Where a fault hurts: somewhere in a call that changes something, or just after it was acknowledged. */
const MOMENTS = [
  "initiation sent",
  "consent sent",
  "confirmation sent",
  "initiation over",
  "confirmation over",
] as const satisfies readonly Moment[];
/** How long such a moment is waited for. */
const PATIENCE_MS = 2_000;
/** About as long as such a call takes. */
const INTO_THE_CALL_MS = 40;

export async function aim(
  { traffic, tally }: Run,
  nth: number,
  { seconds, signal }: Pick<Size, "seconds" | "signal">,
): Promise<void> {
  await sleep(randomInt(1, Math.ceil(seconds * 2_000)), undefined, { signal });
  const moment = MOMENTS[nth % MOMENTS.length] ?? "other sent";
  await Promise.race([traffic.next(moment), sleep(PATIENCE_MS)]);
  if (moment.endsWith("sent")) await sleep(randomInt(INTO_THE_CALL_MS));
  // There may have been one call, and it a short one.
  if (traffic.inFlight() === 0)
    await Promise.race([traffic.next("other sent"), sleep(PATIENCE_MS)]);
  if (traffic.inFlight() > 0) tally["faults while calls were in flight"] += 1;
}
