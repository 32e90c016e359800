import type { Fact, Refusal, Step, Verdict } from "@/lib/workshop/step";
import { printable } from "./table";

/** What the server sees in a request, for a terminal. */
export function stepsInText(steps: readonly Step[]): string {
  return steps.map((step, index) => stepInText(step, index + 1)).join("\n\n");
}

/** The server's answer in one line, as its tppMessages tell it. */
export function refusalInText({ status, code, path, text }: Refusal): string {
  const at = path === undefined ? "" : ` (${path})`;
  return `${status} ${code}${at}: ${printable(text)}`;
}

function stepInText({ title, facts, verdict }: Step, number: number): string {
  const width = Math.max(0, ...facts.map(({ label }) => label.length));
  const heading = `${number}. ${title}: ${inWords(verdict)}`;
  return [heading, ...facts.flatMap((fact) => factInText(fact, width))].join("\n");
}

function inWords(verdict: Verdict): string {
  switch (verdict.kind) {
    case "passed":
      return "passed";
    case "failed":
      return `FAILED\n   ${refusalInText(verdict.refusal)}`;
    case "not judged":
      return `not judged. ${verdict.because}`;
  }
}

function factInText({ label, value, block }: Fact, width: number): readonly string[] {
  if (block === true) {
    return [`   ${label}`, ...value.split("\n").map((line) => `     ${printable(line)}`)];
  }
  return [`   ${printable(label).padEnd(width)}  ${printable(value)}`];
}
