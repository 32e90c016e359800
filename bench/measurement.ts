/** What one load showed: rates over the measured time alone, without the warm-up. */
export type Measurement = {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** Share of one core the load process itself used; near 1 it measured itself. */
  readonly clientLoad: number;
  /** The load process's own processor time for each request. */
  readonly clientMicroseconds: number;
};

export type Observed = {
  /** Milliseconds, one per answered request. */
  readonly latencies: readonly number[];
  readonly seconds: number;
  readonly clientCpuSeconds: number;
};

/** Throws when nothing was answered: no number is better than a made-up one. */
export function measurement({ latencies, seconds, clientCpuSeconds }: Observed): Measurement {
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    requests: sorted.length,
    requestsPerSecond: sorted.length / seconds,
    p50Milliseconds: percentile(sorted, 50),
    p99Milliseconds: percentile(sorted, 99),
    clientLoad: clientCpuSeconds / seconds,
    clientMicroseconds: (clientCpuSeconds * 1_000_000) / sorted.length,
  };
}

/** The smallest value that at least `percent` of all are not above (nearest rank). */
export function percentile(sorted: readonly number[], percent: number): number {
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}
