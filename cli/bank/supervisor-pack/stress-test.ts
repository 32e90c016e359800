import { z } from "zod";

/** What `npm run bench -- --json FILE` writes. Milliseconds; a share is missing where there is no limit to compare with. */
export const benchReport = z.object({
  at: z.iso.datetime(),
  command: z.string(),
  machine: z.string(),
  connections: z.number(),
  perSecond: z.number(),
  figures: z
    .array(
      z.object({
        request: z.string(),
        server: z.string(),
        requestsPerSecond: z.number(),
        ofTheLimit: z.number().optional(),
        p50Milliseconds: z.number(),
        p99Milliseconds: z.number(),
        memoryMegabytes: z.number(),
      }),
    )
    .min(1),
});
export type BenchReport = z.infer<typeof benchReport>;

/** As a person reads it. */
export function benchTable({ figures }: BenchReport) {
  return {
    columns: ["request", "server", "requests/s", "of the limit", "p50 ms", "p99 ms", "memory MB"],
    rows: figures.map((one) => [
      ...[one.request, one.server, one.requestsPerSecond.toFixed(0)],
      // With a core bank of its own there is no limit to compare with.
      one.ofTheLimit?.toFixed(2) ?? "-",
      ...[one.p50Milliseconds.toFixed(1), one.p99Milliseconds.toFixed(1)],
      one.memoryMegabytes.toFixed(0),
    ]),
  };
}
