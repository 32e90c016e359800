import type { Outcome } from "@/faults/campaign";
import { checks } from "@/faults/checks";
import { killServer } from "@/faults/kill-server";
import { report } from "@/faults/report";
import { stopDatabase } from "@/faults/stop-database";
import { expect, test } from "./harness/test";

/** The short version of `npm run faults`. */
test.setTimeout(300_000);

const size = { clients: 4, nodes: 1, seconds: 1, signal: new AbortController().signal };
const nothing = Object.fromEntries(Object.keys(checks).map((name) => [name, []]));

test("B15: the server killed under clients that pay: nothing lost, doubled or answered otherwise", async () => {
  const outcome = await killServer({ ...size, faults: 4 });
  expectSomethingTried("kill -9", outcome, 4);
  expect(outcome.findings).toEqual(nothing);
});

test("PostgreSQL stopped with immediate under clients that pay: nothing lost, doubled or answered otherwise", async () => {
  const outcome = await stopDatabase({ ...size, faults: 2 });
  expectSomethingTried("immediate stop", outcome, 2);
  expect(outcome.findings).toEqual(nothing);
});

/** A run in which nothing went wrong and nothing was tried either says nothing. */
function expectSomethingTried(name: string, outcome: Outcome, faults: number): void {
  const { tally } = outcome;
  const shown = report({ [name]: outcome });
  expect(tally["faults while calls were in flight"], shown).toBe(faults);
  expect(tally["payments acknowledged"], shown).toBeGreaterThanOrEqual(2);
  expect(tally["payments authorised"], shown).toBeGreaterThanOrEqual(1);
  expect(tally["payments executed"], shown).toBeGreaterThanOrEqual(1);
  const failed = tally["calls without an answer"] + tally["calls answered with a fault"];
  expect(failed, shown).toBeGreaterThanOrEqual(1);
}
