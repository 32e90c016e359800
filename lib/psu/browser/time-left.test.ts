import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { endsFrom, minutesAndSeconds, timeLeftAt, warningSteps } from "./time-left";

const start = Date.UTC(2026, 10, 21, 7);
/** A session of five minutes in a window with this many seconds left. */
const at = (seconds: number, openSeconds = 900) =>
  timeLeftAt(endsFrom({ signedInSeconds: 300, openSeconds }, start), start + seconds * 1_000);
const phases = (...seconds: readonly number[]) => seconds.map((second) => at(second).phase);

describe("time limits in the browser", () => {
  it("WCAG 2.2.1: the PSU is warned a minute before the end, and not earlier", () => {
    expect(phases(0, 239.999, 240, 299.999, 300)).toEqual([
      ...["quiet", "quiet", "warned", "warned", "over"],
    ]);
  });

  it("the warning changes at 60, 30 and 10 seconds and not in between", () => {
    const steps: readonly number[] = Array.from({ length: 60 }, (_, second) => {
      const timeLeft = at(240 + second);
      return timeLeft.phase === "warned" ? timeLeft.step : 0;
    });
    expect(steps.indexOf(60)).toBe(0);
    expect(steps.indexOf(30)).toBe(30);
    expect(steps.indexOf(10)).toBe(50);
    expect(steps).toEqual(steps.toSorted((one, other) => other - one));
  });

  it("the end that comes first is the one that is warned of", () => {
    expect(at(250)).toMatchObject({ ending: "signed-in", secondsLeft: 50 });
    expect(at(85, 100)).toMatchObject({ ending: "open", secondsLeft: 15, step: 30 });
  });

  it("the end of the window comes before the end of the session", () => {
    expect(at(300)).toEqual({ phase: "over", ending: "signed-in" });
    expect(at(900)).toEqual({ phase: "over", ending: "open" });
  });

  it("a page that arrives in its last minute warns at once", () => {
    expect(at(0, 42)).toMatchObject({ phase: "warned", ending: "open", step: 60 });
  });

  it("without a limit there is nothing to say", () => {
    expect(timeLeftAt(endsFrom({}, start), start + 1e9)).toEqual({ phase: "quiet" });
    expect(timeLeftAt(endsFrom({ openSeconds: 60 }, start), start)).toMatchObject({
      ending: "open",
    });
  });

  it("a clock that jumps, as after the computer's sleep, goes straight to the end", () => {
    expect(at(86_400).phase).toBe("over");
  });

  it("from warning to end there are 20 seconds at least, whatever is left at first", () => {
    const seconds = fc.record({
      signedInSeconds: fc.option(fc.integer({ min: 60, max: 900 }), { nil: undefined }),
      openSeconds: fc.integer({ min: 60, max: 9_900 }),
    });
    fc.assert(
      fc.property(seconds, (left) => {
        const ends = endsFrom(left, start);
        const end = Math.min(...Object.values(ends));
        expect(timeLeftAt(ends, end - 20_000)).toMatchObject({ phase: "warned", secondsLeft: 20 });
        expect(timeLeftAt(ends, end - 1).phase).toBe("warned");
        expect(timeLeftAt(ends, end).phase).toBe("over");
        expect(timeLeftAt(ends, end - 60_001).phase).toBe("quiet");
      }),
    );
  });

  it("shows minutes and seconds", () => {
    expect([60, 59, 9, 0].map(minutesAndSeconds)).toEqual(["1:00", "0:59", "0:09", "0:00"]);
    expect(warningSteps[0]).toBeGreaterThanOrEqual(20);
  });
});
