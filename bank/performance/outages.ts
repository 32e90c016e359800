/** Times are milliseconds since 1970; an outage ends where the next request that was answered has come. */
export type Outage = { readonly from: number; readonly until: number };

/** EBA/GL/2018/07, 2.4: five consecutive requests that are not replied to within 30 seconds altogether. */
const CONSECUTIVE = 5;
const WITHIN_MS = 30_000;

/** The failed requests in the order in which they came, and for each place between them the first answered one. */
export type Gaps = {
  readonly failedAt: Float64Array;
  /** Infinity where there is none; the place `n` is before the failed request `n`. */
  readonly answeredAt: Float64Array;
};

export function gapsBetween(failed: readonly number[]): Gaps {
  const failedAt = Float64Array.from(failed).sort();
  const answeredAt = new Float64Array(failedAt.length + 1).fill(Number.POSITIVE_INFINITY);
  return { failedAt, answeredAt };
}

/** An answered request that came at this instant lies in one of the gaps. */
export function noteAnswered({ failedAt, answeredAt }: Gaps, cameAt: number): void {
  let [low, high] = [0, failedAt.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(failedAt, middle) < cameAt) low = middle + 1;
    else high = middle;
  }
  answeredAt[low] = Math.min(at(answeredAt, low), cameAt);
}

/** When the interface was down, from the first of the five on. `end` is up to when the logs reach. */
export function outagesIn({ failedAt, answeredAt }: Gaps, end: number): readonly Outage[] {
  const outages: Outage[] = [];
  for (let first = 0, next = 0; first < failedAt.length; first = next) {
    // A run of failed requests with no answered one between them.
    next = first + 1;
    while (next < failedAt.length && at(answeredAt, next) === Number.POSITIVE_INFINITY) next += 1;
    const from = downSince(failedAt.subarray(first, next));
    if (from !== undefined) outages.push({ from, until: Math.min(at(answeredAt, next), end) });
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
