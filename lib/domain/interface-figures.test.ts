import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addProbe,
  type DayCount,
  dailyFigures,
  lastPublishedDay,
  type ProbeRun,
  parseQuarter,
  publishedQuarters,
} from "./interface-figures";
import type { IsoDate } from "./values";

const midnight = Date.parse("2026-11-25T00:00:00Z");
const at = (seconds: number) => new Date(midnight + seconds * 1_000);
const day = "2026-11-25" as IsoDate;
const asked = { from: day, to: day, timeZone: "UTC" };
const DAY_SECONDS = 86_400;

/** The runs that the prober writes of these probes. */
function runsOf(probes: readonly (readonly [seconds: number, answered: boolean])[]): ProbeRun[] {
  const runs: ProbeRun[] = [];
  for (const [seconds, answered] of probes) {
    const probe = { interface: "xs2a", at: at(seconds), answered } as const;
    const run = addProbe(runs.at(-1), probe);
    if (runs.at(-1)?.beganAt === run.beganAt) runs.splice(-1, 1, run);
    else runs.push(run);
  }
  return runs;
}

function downSeconds(
  probes: readonly (readonly [number, boolean])[],
  planned: readonly (readonly [number, number])[] = [],
) {
  const windows = planned.map(([from, until]) => {
    return { interface: "xs2a", from: at(from), until: at(until) } as const;
  });
  const raw = { counts: [], runs: runsOf(probes), planned: windows };
  const [figures] = dailyFigures("xs2a", raw, asked);
  const seconds = (share = 0) => Math.round(share * DAY_SECONDS * 1_000) / 1_000;
  return [seconds(figures?.unplannedDowntime), seconds(figures?.plannedDowntime)];
}

const failing = (from: number, count: number) =>
  Array.from({ length: count }, (_, nth) => [from + nth * 6, false] as const);

describe("EBA/GL/2018/07 2.4: an interface is down", () => {
  it("from the first of five consecutive probes without a reply until the next one with a reply", () => {
    expect(downSeconds([[0, true], ...failing(6, 5), [36, true]])).toEqual([30, 0]);
  });

  it("not with four of them, nor with a reply between the five", () => {
    expect(downSeconds([[0, true], ...failing(6, 4), [30, true]])).toEqual([0, 0]);
    expect(downSeconds([...failing(0, 3), [18, true], ...failing(24, 4)])).toEqual([0, 0]);
  });

  it("not when the prober has paused between the five, and no longer than it looked", () => {
    expect(downSeconds([...failing(0, 3), ...failing(60, 4)])).toEqual([0, 0]);
    expect(downSeconds([...failing(0, 6), [3_600, true]])).toEqual([30, 0]);
  });

  it("on each of the days over which an outage lasts", () => {
    const runs = runsOf(failing(-600, 200));
    const days = dailyFigures(
      "xs2a",
      { counts: [], runs, planned: [] },
      { ...asked, from: "2026-11-24" as IsoDate },
    );
    expect(days.map((one) => one.unplannedDowntime * DAY_SECONDS)).toEqual([600, 594]);
  });

  it("by plan as far as it was announced, and however often", () => {
    const outage = [...failing(0, 100), [600, true] as const];
    expect(downSeconds(outage, [[300, 900]])).toEqual([300, 300]);
    expect(
      downSeconds(outage, [
        [100, 300],
        [200, 400],
      ]),
    ).toEqual([300, 300]);
  });
});

it("every probe counts once: what runs keep is what a look at each probe finds", () => {
  const probes = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.boolean()), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(probes, (steps) => {
      let now = 0;
      const list = steps.map(([pause, answered]) => {
        now += pause;
        return [now, answered] as const;
      });
      // The rule word for word, second by second.
      let down = 0;
      let begun: number | undefined;
      let row = 0;
      for (const [nth, [seconds, answered]] of list.entries()) {
        const before = list[nth - 1];
        const isNext = before !== undefined && seconds - before[0] <= 7.5;
        if (!isNext || answered) {
          const end = isNext ? seconds : (before?.[0] ?? 0);
          if (begun !== undefined && row >= 5) down += end - begun;
          [begun, row] = [undefined, 0];
        }
        if (!answered) {
          begun ??= seconds;
          row += 1;
        }
      }
      if (begun !== undefined && row >= 5) down += (list.at(-1)?.[0] ?? 0) - begun;
      expect(downSeconds(list)[0]).toBeCloseTo(down, 3);
    }),
  );
});

it("errors are the share of requests that failed or had no answer; means are of those that were granted", () => {
  const count = (
    area: DayCount["area"],
    outcome: DayCount["outcome"],
    requests: number,
    ms = 0,
  ) => ({
    ...{ day, area, outcome, requests, tookMicroseconds: ms * 1_000 },
  });
  const counts = [
    count("aisp", "granted", 90, 900),
    count("aisp", "refused", 6, 60_000),
    count("pisp", "failed", 3),
    count("oauth", "unanswered", 1),
    count("pages", "granted", 10, 50),
  ];
  const raw = { counts, runs: [], planned: [] };
  expect(dailyFigures("xs2a", raw, asked)).toMatchObject([
    { requests: 100, errors: 0.04, meanMilliseconds: { aisp: 10 }, probed: 0 },
  ]);
  expect(dailyFigures("pages", raw, asked)).toMatchObject([
    { requests: 10, errors: 0, meanMilliseconds: { pages: 5 } },
  ]);
});

it("a local day has 23 or 25 hours when the clocks change", () => {
  const zone = {
    from: "2026-10-25" as IsoDate,
    to: "2026-10-25" as IsoDate,
    timeZone: "Europe/Bucharest",
  };
  const begin = Date.parse("2026-10-24T21:00:00Z");
  const run = (from: number, minutes: number) => ({
    ...{ interface: "xs2a" as const, answered: false, probes: minutes * 10 },
    ...{ beganAt: new Date(from), lastAt: new Date(from + minutes * 60_000) },
  });
  const raw = { counts: [], runs: [run(begin, 150)], planned: [] };
  expect(dailyFigures("xs2a", raw, zone)[0]?.unplannedDowntime).toBeCloseTo(0.1, 9);
});

it("published are the running quarter and the four before it, a day when it has been over for six hours", () => {
  const zone = "Europe/Bucharest";
  const names = publishedQuarters(new Date("2027-02-01T12:00:00Z"), zone).map(({ name }) => name);
  expect(names).toEqual(["2027Q1", "2026Q4", "2026Q3", "2026Q2", "2026Q1"]);
  expect(parseQuarter("2026Q4")).toEqual({ name: "2026Q4", from: "2026-10-01", to: "2026-12-31" });
  expect(parseQuarter("2026Q5")).toBeUndefined();
  expect(lastPublishedDay(new Date("2026-11-25T03:59:59Z"), zone)).toBe("2026-11-23");
  expect(lastPublishedDay(new Date("2026-11-25T04:00:00Z"), zone)).toBe("2026-11-24");
});
