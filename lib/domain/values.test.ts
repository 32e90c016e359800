import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDays,
  amountOf,
  type Currency,
  dayIn,
  endOfDayIn,
  formatAmount,
  fractionDigitsOf,
  type IsoDate,
  parseAmount,
  parseIsoDate,
  startOfDayIn,
} from "./values";

describe("money is exact", () => {
  it("what was formatted is read as the same amount", () => {
    const minorUnits = fc.bigInt({ min: -(10n ** 16n) + 1n, max: 10n ** 16n - 1n });
    fc.assert(
      fc.property(minorUnits, (minor) => {
        expect(parseAmount(formatAmount(minor))).toBe(minor);
      }),
    );
  });

  it.each([
    ["12.5", 1_250n],
    ["12", 1_200n],
    ["-0.01", -1n],
    ["0.10", 10n],
    ["99999999999999.99", 9_999_999_999_999_999n],
  ])("%s is %d minor units", (text, minor) => expect(parseAmount(text)).toBe(minor));

  it.each([
    "1e3",
    "1.001",
    "NaN",
    "٣",
    "1,00",
    "123456789012345",
    "",
    " 1",
    "1.",
    ".5",
    "+1",
    "--1",
  ])("B10: %j is no amount", (text) => expect(parseAmount(text)).toBeUndefined());

  it.each([
    [5n, "RON", "0.05"],
    [-5n, "RON", "-0.05"],
    [123_400n, "EUR", "1234.00"],
    [1_500n, "JPY", "1500"],
    [-125n, "BHD", "-0.125"],
  ])("%d minor units of %s are %s", (minorUnits, currency, amount) => {
    expect(amountOf({ currency: currency as Currency, minorUnits })).toBe(amount);
    expect(parseAmount(amount, fractionDigitsOf(currency as Currency))).toBe(minorUnits);
  });

  it("no fraction of a minor unit is an amount", () => {
    expect(parseAmount("0.5", fractionDigitsOf("JPY" as Currency))).toBeUndefined();
  });
});

const day = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10) as IsoDate);

describe("days", () => {
  it.each([
    "2026-02-30",
    "2025-02-29",
    "26-01-01",
    "2026-1-1",
    "2026-01-01T00:00:00Z",
    "0000-01-01",
    "",
  ])("%s is not a day", (text) => expect(parseIsoDate(text)).toBeUndefined());

  it("leap days exist in leap years", () => {
    expect(parseIsoDate("2028-02-29")).toBe("2028-02-29");
    expect(addDays("2028-02-28" as IsoDate, 1)).toBe("2028-02-29");
  });

  it("adding and taking away days comes back to the same day", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: -4_000, max: 4_000 }), (start, days) => {
        expect(addDays(addDays(start, days), -days)).toBe(start);
      }),
    );
  });
});

describe("the bank's days are local days", () => {
  it("belong to Bucharest, not to UTC", () => {
    expect(dayIn("Europe/Bucharest", new Date("2026-11-20T22:30:00Z"))).toBe("2026-11-21");
    expect(dayIn("Europe/Bucharest", new Date("2026-11-20T21:59:59Z"))).toBe("2026-11-20");
  });

  it("begin where the day before ends, on the days of 23 and 25 hours as well", () => {
    const start = (text: string) => startOfDayIn("Europe/Bucharest", text as IsoDate).toISOString();
    expect(start("2026-03-29")).toBe("2026-03-28T22:00:00.000Z");
    expect(start("2026-03-30")).toBe("2026-03-29T21:00:00.000Z");
    expect(start("2026-10-25")).toBe("2026-10-24T21:00:00.000Z");
    expect(start("2026-10-26")).toBe("2026-10-25T22:00:00.000Z");
  });

  it("end where the next one begins, in whatever zone and however often it is asked", () => {
    const zones = fc.constantFrom("Europe/Bucharest", "Asia/Kathmandu", "Pacific/Chatham");
    fc.assert(
      fc.property(zones, day, (timeZone, text) => {
        const next = startOfDayIn(timeZone, addDays(text, 1));
        expect([endOfDayIn(timeZone, text), endOfDayIn(timeZone, text)]).toEqual([next, next]);
      }),
    );
  });

  it("are the same whatever was asked before", () => {
    const zones = ["Europe/Bucharest", "Asia/Kathmandu", "Pacific/Chatham"];
    const twoDigits = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    const years = { min: new Date("2000-01-01"), max: new Date("2100-01-01") };
    const instants = fc.date({ ...years, noInvalidDate: true });
    const calendars = zones.map((timeZone) => {
      return new Intl.DateTimeFormat("en-CA", { timeZone, ...twoDigits });
    });
    fc.assert(
      fc.property(instants, fc.integer({ min: 0, max: 2_000_000 }), (instant, later) => {
        for (const at of [instant, new Date(instant.getTime() + later)]) {
          const days = zones.map((timeZone) => dayIn(timeZone, at));
          expect(days).toEqual(calendars.map((calendar) => calendar.format(at)));
        }
      }),
    );
  });

  it("the first instant of a day lies in it and the one before does not", () => {
    fc.assert(
      fc.property(day, (text) => {
        const start = startOfDayIn("Europe/Bucharest", text);
        expect(dayIn("Europe/Bucharest", start)).toBe(text);
        expect(dayIn("Europe/Bucharest", new Date(start.getTime() - 1))).toBe(addDays(text, -1));
      }),
    );
  });
});
