import { describe, expect, it } from "vitest";
import type { IsoDate } from "@/lib/domain/iso-date";
import { isBusinessDay, nextBusinessDay } from "./business-days";

const day = (text: string) => text as IsoDate;

describe("business days", () => {
  it("the day after Friday that settles is Monday", () => {
    expect(nextBusinessDay(day("2026-11-19"))).toBe("2026-11-20");
    expect(nextBusinessDay(day("2026-11-20"))).toBe("2026-11-23");
    expect(nextBusinessDay(day("2026-11-21"))).toBe("2026-11-23");
  });

  it("Christmas and the weekend after it are skipped together", () => {
    expect(nextBusinessDay(day("2026-12-24"))).toBe("2026-12-28");
    expect(nextBusinessDay(day("2026-12-31"))).toBe("2027-01-04");
  });

  it.each([
    ["2024-03-29", "2024-04-01"],
    ["2025-04-18", "2025-04-21"],
    ["2026-04-03", "2026-04-06"],
    ["2027-03-26", "2027-03-29"],
    ["2038-04-23", "2038-04-26"],
  ])("Good Friday %s and Easter Monday %s are closed", (friday, monday) => {
    expect(isBusinessDay(day(friday))).toBe(false);
    expect(isBusinessDay(day(monday))).toBe(false);
    expect(nextBusinessDay(day(friday))).toBe(
      new Date(Date.parse(monday) + 86_400_000).toISOString().slice(0, 10),
    );
  });

  it("the first of May is closed, the days around it are not", () => {
    expect(
      ["2025-04-30", "2025-05-01", "2025-05-02"].map((text) => isBusinessDay(day(text))),
    ).toEqual([true, false, true]);
  });
});
