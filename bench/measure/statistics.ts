/** The smallest value that at least `percent` of all are not above (nearest rank). */
export function percentile(sorted: ArrayLike<number>, percent: number): number {
  // Rounded first: 99.9 % of a thousand would else come out a little above 999.
  const share = Number(((percent * sorted.length) / 100).toFixed(6));
  const rank = Math.max(1, Math.ceil(share));
  const value = sorted[rank - 1];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

/** Of two in the middle their mean. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) throw new Error("nothing was measured");
  return (low + high) / 2;
}
