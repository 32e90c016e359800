import { expect, it } from "vitest";
import type { Outcome } from "./campaign";
import { compare } from "./checks";
import { emptyNotebook } from "./journal";
import { isFlawless, report } from "./report";
import { emptyTally } from "./tally";

const books = { payments: [], consents: [], moves: [], sums: [], reads: new Map() };

function outcome(oddities: readonly string[]): Outcome {
  const findings = compare({ ...emptyNotebook(), oddities }, books);
  return { findings, tally: { ...emptyTally(), "payments acknowledged": 31 } };
}

it("the report has a column for each kind of fault, and a line for what must be 0", () => {
  const lines = report({ "kill -9": outcome([]), "immediate stop": outcome([]) }).split("\n");
  expect(lines.find((line) => line.startsWith("payments acknowledged"))).toMatch(/\s31\s+31$/);
  expect(lines.find((line) => line.startsWith("payments started twice"))).toMatch(/\s0\s+0$/);
});

it("one finding is told with its words, and the run is not flawless", () => {
  const outcomes = { "kill -9": outcome([]), "immediate stop": outcome(["HTTP 418"]) };
  expect(isFlawless({ "kill -9": outcome([]) })).toBe(true);
  expect(isFlawless(outcomes)).toBe(false);
  expect(report(outcomes)).toMatch(/answers no TPP should get {2,}0 {2,}1\n/);
  expect(report(outcomes)).toContain("HTTP 418");
});

it("of many findings of one kind a few are told", () => {
  const many = Array.from({ length: 40 }, (_, at) => `finding ${at}`);
  expect(report({ "kill -9": outcome(many) }).match(/finding \d/g)).toHaveLength(5);
});
