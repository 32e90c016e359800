import { table } from "@/cli/tpp/table";

/** What a client that behaves has met for a while. */
export type Phase = {
  readonly name: "alone" | "beside hostile clients";
  readonly milliseconds: readonly number[];
  readonly failed: number;
  /** The server's share of one core. */
  readonly busy: number;
  /** Connections that hostile clients have made. */
  readonly attacks: number;
  /** Of the server, at the end. */
  readonly megabytes: number;
};

/** A campaign's last word. */
export type Verdict = { readonly text: string; readonly passed: boolean };

/** Of the 99th percentile, within one run. */
const SLOWER_AT_MOST = 1.5;
/** Memory at the end by memory at the beginning. */
const GROWN_AT_MOST = 1.1;

/**
 * Judges ratios only: how fast the machine is says nothing about the server. Two 99th percentiles of some hundred
 * requests differ by more than half for reasons of the machine's, so that their ratio decides in a long run alone.
 */
export function verdictOf(phases: readonly Phase[], judgesTimes: boolean): Verdict {
  const [alone, beside] = (["alone", "beside hostile clients"] as const).map((name) =>
    phases.filter((phase) => phase.name === name),
  );
  const slower = p99(beside) / p99(alone);
  const grown = memory(beside?.at(-1)) / memory(beside?.[0]);
  const failed = phases.reduce((sum, phase) => sum + phase.failed, 0);
  const attacks = Math.min(...(beside ?? []).map((phase) => phase.attacks));
  const lines = [
    [
      "p99 beside hostile clients / alone",
      slower.toFixed(2),
      timeLimit(SLOWER_AT_MOST, judgesTimes),
    ],
    ["memory at the end / at the beginning", grown.toFixed(2), `${GROWN_AT_MOST} at most`],
    ["requests failed", String(failed), "0"],
    ["hostile connections in a phase, at least", String(attacks), "1 at least"],
  ];
  const attacked = Number.isFinite(attacks) && attacks > 0;
  const isFast = slower <= SLOWER_AT_MOST || (!judgesTimes && !Number.isNaN(slower));
  const passed = isFast && grown <= GROWN_AT_MOST && failed === 0 && attacked;
  return { text: [shown(phases), judged(lines)].join("\n\n"), passed };
}

/** Of a ratio of times, as a verdict shows it. */
export function timeLimit(most: number, judgesTimes: boolean): string {
  return judgesTimes ? `${most} at most` : `${most} at most with --full; not judged here`;
}

/**
 * The median of the phases' own: what hostile clients do shows in each of them, and what else the
 * machine does for a moment in one or two.
 */
function p99(phases: readonly Phase[] = []): number {
  const each = phases.map(({ milliseconds }) => quantile(milliseconds, 0.99));
  return each.some(Number.isNaN) ? Number.NaN : quantile(each, 0.5);
}

function memory(phase: Phase | undefined): number {
  return phase?.megabytes ?? Number.NaN;
}

/** The nearest-rank quantile; NaN of nothing, which no limit lets pass. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

function shown(phases: readonly Phase[]): string {
  const headings = [
    "Phase",
    "requests",
    "failed",
    "p50 ms",
    "p99 ms",
    "CPU %",
    "memory MB",
    "attacks",
  ];
  const rows = phases.map(({ name, milliseconds, failed, busy, megabytes, attacks }) => [
    name,
    String(milliseconds.length),
    String(failed),
    quantile(milliseconds, 0.5).toFixed(1),
    quantile(milliseconds, 0.99).toFixed(1),
    (100 * busy).toFixed(0),
    megabytes.toFixed(0),
    String(attacks),
  ]);
  return table(numbers(headings), rows);
}

function judged(lines: readonly (readonly string[])[]): string {
  return table(numbers(["Ratio in this run", "is", "may be"]), lines);
}

function numbers([first = "Name", ...others]: readonly string[]) {
  return [{ heading: first }, ...others.map((heading) => ({ heading, align: "right" }) as const)];
}
