import type { Weight } from "./weigh";

const HEADINGS = [
  "page",
  ...["HTML", "CSS", "JS", "fonts", "images"].map((part) => `${part}, KB`),
  "requests",
  "server, ms",
];

/** Of 1,000 bytes. */
const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(1);

/** A table as documents have it; times are medians. */
export function table(weights: readonly Weight[]): string {
  const rows = weights.map(({ page, html, styles, scripts, fonts, images, ...rest }) => [
    page,
    ...[html, styles, scripts, fonts, images].map(kilobytes),
    String(rest.requests),
    median(rest.serverTimes).toFixed(1),
  ]);
  const all = [HEADINGS, ...rows];
  const widths = HEADINGS.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "-").length)));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const padded = (row: readonly string[]) =>
    line(
      row.map((cell, at) =>
        at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
      ),
    );
  const rule = line(
    widths.map((width, at) => (at === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)),
  );
  return [padded(HEADINGS), rule, ...rows.map(padded)].join("\n");
}

/** Of an even number of values the mean of the middle two. Throws when there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  if (low === undefined || high === undefined) throw new Error("the median of nothing");
  return (low + high) / 2;
}

/** In bytes gzipped, for each page. */
const SCRIPTS_AT_MOST = 100_000;

/** What must not be, in sentences; none is well. */
export function faults(weights: readonly Weight[]): readonly string[] {
  return weights.flatMap(({ page, scripts, elsewhere }) => [
    ...elsewhere.map((url) => `${page}: something comes from elsewhere: ${url}`),
    ...(scripts < SCRIPTS_AT_MOST ? [] : [`${page}: ${kilobytes(scripts)} KB of JavaScript`]),
  ]);
}
