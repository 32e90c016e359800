import { type Column, table } from "@/cli/tpp/table";
import type { Outcome } from "./campaign";
import { checks, type Finding } from "./checks";
import { counted } from "./tally";

const EXAMPLES_AT_MOST = 5;
const findings = Object.keys(checks) as Finding[];

/** By the name of the fault, in the order of the columns. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** What happened, what was found, and examples of what should not have been. */
export function report(outcomes: Outcomes): string {
  const names = Object.keys(outcomes);
  const all = Object.values(outcomes);
  const columns = (heading: string): readonly Column[] => [
    { heading },
    ...names.map((name): Column => ({ heading: name, align: "right" })),
  ];
  const happened = counted.map((name) => [name, ...all.map(({ tally }) => String(tally[name]))]);
  const found = findings.map((name) => [
    name,
    ...all.map((outcome) => String(outcome.findings[name].length)),
  ]);
  return [
    table(columns("What happened"), happened),
    table(columns("What must be 0"), found),
    ...examples(all),
  ].join("\n\n");
}

export function isFlawless(outcomes: Outcomes): boolean {
  return Object.values(outcomes).every((outcome) =>
    findings.every((name) => outcome.findings[name].length === 0),
  );
}

function examples(outcomes: readonly Outcome[]): readonly string[] {
  return findings.flatMap((name) => {
    const sentences = outcomes.flatMap((outcome) => outcome.findings[name]);
    if (sentences.length === 0) return [];
    const shown = sentences.slice(0, EXAMPLES_AT_MOST).map((sentence) => `  ${sentence}`);
    return [[`${name}:`, ...shown].join("\n")];
  });
}
