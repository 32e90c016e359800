import { expect, it } from "vitest";
import { type Phase, verdictOf } from "./hostile-clients";
import { quantile } from "./measuring";

/** A hundred answers, of which the two slowest took this long. */
function phase(name: Phase["name"], slowest: number, more: Partial<Phase> = {}): Phase {
  const milliseconds = Array.from({ length: 100 }, (_, at) => (at < 98 ? 1 : slowest));
  return { name, milliseconds, failed: 0, busy: 0.1, megabytes: 200, attacks: 100, ...more };
}
const alone = phase("alone", 10);
const beside = (slowest: number, more?: Partial<Phase>) =>
  phase("beside hostile clients", slowest, more);

it("a client that is served beside hostile ones as before passes", () => {
  const phases = [alone, beside(15), alone, beside(15), alone, beside(99)];
  const { passed, text } = verdictOf(phases, true);
  expect(text).toMatch(/p99 beside hostile clients \/ alone {2,}1\.50/);
  expect(passed).toBe(true);
});

it("a time fails a long run only; a short one reports it", () => {
  const phases = [alone, beside(16), alone, beside(16), alone, beside(1)];
  expect(verdictOf(phases, true).passed).toBe(false);
  const { passed, text } = verdictOf(phases, false);
  expect(text).toMatch(/alone {2,}1\.60 {2,}1\.5 at most with --full; not judged here/);
  expect(passed).toBe(true);
});

it.each<readonly [string, readonly Phase[]]>([
  ["a request fails", [alone, beside(10, { failed: 1 })]],
  ["memory grows", [alone, beside(10), alone, beside(10, { megabytes: 261 })]],
  ["no client attacked", [alone, beside(10, { attacks: 0 }), beside(10)]],
  ["no request was answered", [alone, beside(10, { milliseconds: [] })]],
  ["nothing was measured", []],
])("it is a failure when %s", (_what, phases) => {
  expect(verdictOf(phases, true).passed).toBe(false);
  expect(verdictOf(phases, false).passed).toBe(false);
});

it("a quantile is one of the values, by nearest rank", () => {
  expect(quantile([3, 1, 2, 4], 0.5)).toBe(2);
  expect(quantile([3, 1, 2, 4], 0.99)).toBe(4);
  expect(quantile([], 0.5)).toBeNaN();
});
