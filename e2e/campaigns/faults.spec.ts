import type { Outcome, Size } from "@/tools/faults/campaign";
import { checks } from "@/tools/faults/checks";
import { killServer } from "@/tools/faults/kill-server";
import { report } from "@/tools/faults/report";
import { restartNodes } from "@/tools/faults/restart-nodes";
import { stopDatabase } from "@/tools/faults/stop-database";
import type { Tally } from "@/tools/faults/tally";
import { expect, test } from "../harness/test";

/** The shortest version of `npm run faults` in which each fault still takes place. */
test.setTimeout(300_000);

const { signal } = new AbortController();
const size: Size = { clients: 2, nodes: 1, faults: 1, seconds: 0.5, judgesTimes: false, signal };
const nothing = Object.fromEntries(Object.keys(checks).map((name) => [name, []]));

/** Not those in which nodes are drawn and standbys promoted: they are the same promises at thrice the price. */
const breaking = atOnce({
  server: () => killServer({ ...size, clients: 4, faults: 2, seconds: 1 }),
  database: () => stopDatabase(size),
  nodes: () => restartNodes({ ...size, nodes: 2 }),
});

test("B15: the server killed under clients that pay: nothing lost, doubled or answered otherwise", async () => {
  const tally = flawless("kill -9", await breaking("server"));
  expect(tally["faults while calls were in flight"]).toBe(2);
  expect(failedCalls(tally)).toBeGreaterThanOrEqual(1);
});

test("PostgreSQL stopped with immediate under clients that pay: nothing lost, doubled or answered otherwise", async () => {
  const tally = flawless("immediate stop", await breaking("database"));
  expect(tally["faults while calls were in flight"]).toBe(1);
  expect(failedCalls(tally)).toBeGreaterThanOrEqual(1);
});

test("one of two servers asked to end and started again under clients that pay: no request fails", async () => {
  const tally = flawless("rolling restart", await breaking("nodes"));
  expect(tally["servers ended in order"]).toBe(1);
  expect(failedCalls(tally)).toBe(0);
});

/**
 * Most of a campaign is waiting, so several take place in the time of one. None is told of before all have taken
 * away what they had started.
 */
function atOnce<Name extends string>(campaigns: Readonly<Record<Name, () => Promise<Outcome>>>) {
  const names = Object.keys(campaigns) as Name[];
  let ended: Promise<readonly PromiseSettledResult<Outcome>[]> | undefined;
  return async (name: Name): Promise<Outcome> => {
    ended ??= Promise.allSettled(names.map((one) => campaigns[one]()));
    const outcome = (await ended)[names.indexOf(name)];
    if (outcome?.status !== "fulfilled") throw outcome?.reason;
    return outcome.value;
  };
}

/** A run in which nothing went wrong and nothing was tried either says nothing. */
function flawless(name: string, outcome: Outcome): Tally {
  const { findings, tally } = outcome;
  const shown = report({ [name]: outcome });
  expect(findings, shown).toEqual(nothing);
  expect(tally["payments acknowledged"], shown).toBeGreaterThanOrEqual(2);
  // Those that are begun when nothing is broken any more; of the others each may have lost its browser.
  expect(tally["payments authorised"], shown).toBeGreaterThanOrEqual(size.clients);
  expect(tally["payments executed"], shown).toBeGreaterThanOrEqual(1);
  expect(tally["consents acknowledged"], shown).toBeGreaterThanOrEqual(1);
  expect(tally["reads answered"], shown).toBeGreaterThanOrEqual(1);
  expect(tally["funds checks answered"], shown).toBeGreaterThanOrEqual(1);
  return tally;
}

function failedCalls(tally: Tally): number {
  return tally["calls without an answer"] + tally["calls answered with a fault"];
}
