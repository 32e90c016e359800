import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDuration } from "./duration";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("an ISO 8601 duration", () => {
  it.each([
    ["PT10M1S", 10 * MINUTE + SECOND],
    ["P180D", 180 * DAY],
    ["P2W", 14 * DAY],
    ["PT36H", 36 * HOUR],
    ["P1DT2H3M4S", DAY + 2 * HOUR + 3 * MINUTE + 4 * SECOND],
    ["P1DT4S", DAY + 4 * SECOND],
    ["PT90S", 90 * SECOND],
    ["PT0S", 0],
  ])("%s", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    ["nothing", ""],
    ["no unit", "P"],
    ["no unit after T", "P1DT"],
    ["T alone", "PT"],
    ["backwards", "-PT1M"],
    ["a part backwards", "PT-1M"],
    ["a plus sign", "+PT1M"],
    ["months", "P1M"],
    ["years", "P1Y"],
    ["weeks and days", "P1W1D"],
    ["weeks after T", "PT1W"],
    ["hours without T", "P1H"],
    ["units in another order", "PT1S1M"],
    ["a fraction", "PT1.5S"],
    ["small letters", "pt1m"],
    ["blanks", " PT1M "],
    ["a second line", "PT1M\n"],
    ["a number beyond any clock", `PT${"9".repeat(30)}S`],
  ])("%s is none", (_what, text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it("adds its parts up, whichever of them are there", () => {
    const part = (max: number) => fc.option(fc.nat({ max }), { nil: undefined });
    const parts = fc.tuple(part(999_999), part(999), part(9_999), part(99_999));
    fc.assert(
      fc.property(parts, ([days, hours, minutes, seconds]) => {
        const written = (value: number | undefined, unit: string) =>
          value === undefined ? "" : `${value}${unit}`;
        const time = `${written(hours, "H")}${written(minutes, "M")}${written(seconds, "S")}`;
        const text = `P${written(days, "D")}${time === "" ? "" : `T${time}`}`;
        const sum =
          (days ?? 0) * DAY +
          (hours ?? 0) * HOUR +
          (minutes ?? 0) * MINUTE +
          (seconds ?? 0) * SECOND;
        expect(parseDuration(text)).toBe(text === "P" ? undefined : sum);
      }),
    );
  });
});
