/** When something began and ended, in the order of everything that went by. */
export type Span = { readonly startedAt: number; readonly endedAt: number };

/**
 * Groups what was under way together. Whatever began after the first of a group had ended may have
 * waited for it, and begins the next group.
 */
export function wavesOf<Some extends Span>(spans: readonly Some[]): readonly (readonly Some[])[] {
  const waves: Some[][] = [];
  let firstEnd = Number.NEGATIVE_INFINITY;
  for (const span of spans.toSorted((a, b) => a.startedAt - b.startedAt)) {
    if (span.startedAt > firstEnd) {
      waves.push([]);
      firstEnd = Number.POSITIVE_INFINITY;
    }
    waves.at(-1)?.push(span);
    firstEnd = Math.min(firstEnd, span.endedAt);
  }
  return waves;
}
