import { WITHIN_MS } from "./outcome";

/** Times are milliseconds since 1970; an outage ends when the next request has been granted. */
export type Outage = { readonly from: number; readonly until: number };

/** EBA/GL/2018/07, 2.4: five consecutive requests that are not replied to within 30 seconds altogether. */
const CONSECUTIVE = 5;

/** The requests without a reply in the order in which they came, and the first success at each place between them. */
type Gaps = {
  readonly failedAt: Float64Array;
  /** When it was granted; Infinity where there is none. The place `n` is before the failed request `n`. */
  readonly grantedAt: Float64Array;
};

export function gapsBetween(failed: readonly number[]): Gaps {
  const failedAt = Float64Array.from(failed).sort();
  const grantedAt = new Float64Array(failedAt.length + 1).fill(Number.POSITIVE_INFINITY);
  return { failedAt, grantedAt };
}

type Success = { readonly cameAt: number; readonly overAt: number };

/** It lies in the gap in which it came. */
export function noteSuccess({ failedAt, grantedAt }: Gaps, { cameAt, overAt }: Success): void {
  let [low, high] = [0, failedAt.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(failedAt, middle) < cameAt) low = middle + 1;
    else high = middle;
  }
  grantedAt[low] = Math.min(at(grantedAt, low), overAt);
}

/** When the interface was down, from the first of the five on. `end` is up to when the logs reach. */
export function outagesIn({ failedAt, grantedAt }: Gaps, end: number): readonly Outage[] {
  const outages: Outage[] = [];
  for (let first = 0, next = 0; first < failedAt.length; first = next) {
    // A run of failed requests with no success between them.
    next = first + 1;
    while (next < failedAt.length && at(grantedAt, next) === Number.POSITIVE_INFINITY) next += 1;
    const from = downSince(failedAt.subarray(first, next));
    if (from !== undefined) outages.push({ from, until: Math.min(at(grantedAt, next), end) });
  }
  return outages;
}

function downSince(run: Float64Array): number | undefined {
  const last = CONSECUTIVE - 1;
  return run.find((from, n) => n + last < run.length && at(run, n + last) - from <= WITHIN_MS);
}

function at(list: Float64Array, n: number): number {
  const found = list[n];
  if (found === undefined) throw new RangeError(`there are ${list.length}, and none at ${n}`);
  return found;
}
