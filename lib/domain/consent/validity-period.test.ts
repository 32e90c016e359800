import { describe, expect, it } from "vitest";
import { aspspProfile } from "../aspsp-profile";
import type { IsoDate } from "../iso-date";
import { endOfConsent, settleValidUntil, validUntilFault } from "./validity-period";

const today = "2026-11-20" as IsoDate;
const fault = (recurringIndicator: boolean, validUntil: string) =>
  validUntilFault({ recurringIndicator, validUntil: validUntil as IsoDate }, today, aspspProfile);

describe("validUntil", () => {
  it("of a recurring consent is at most 180 days ahead", () => {
    expect(fault(true, "2027-05-19")).toBeUndefined();
    expect(fault(true, "2027-05-20")).toContain("at most 180 days");
  });

  it("B7: of a recurring consent is not in the past", () => {
    expect(fault(true, "2026-11-20")).toBeUndefined();
    expect(fault(true, "2026-11-19")).toContain("in the past");
  });

  it("counts leap days", () => {
    const on = (day: string, validUntil: string) =>
      validUntilFault(
        { recurringIndicator: true, validUntil: validUntil as IsoDate },
        day as IsoDate,
        aspspProfile,
      );
    expect(on("2027-12-01", "2028-05-29")).toBeUndefined();
    expect(on("2027-12-01", "2028-05-30")).toContain("at most 180 days");
    expect(on("2026-12-01", "2027-05-30")).toBeUndefined();
    expect(on("2026-12-01", "2027-05-31")).toContain("at most 180 days");
  });

  it("of a one-off consent is today's date", () => {
    expect(fault(false, "2026-11-20")).toBeUndefined();
    expect(fault(false, "2026-11-21")).toContain("today only");
    expect(fault(false, "2026-11-19")).toContain("in the past");
  });

  it.each([
    [true, "2027-05-19"],
    [false, "2026-11-20"],
  ])("9999-12-31 is shortened (recurring %s: %s)", (recurringIndicator, expected) => {
    const asked = { recurringIndicator, validUntil: "9999-12-31" as IsoDate };
    expect(validUntilFault(asked, today, aspspProfile)).toBeUndefined();
    const settled = settleValidUntil(asked, today, aspspProfile);
    expect(settled).toEqual({ validUntil: expected, shortened: true });
  });
});

describe("the end of a consent", () => {
  const end = (recurringIndicator: boolean, validUntil: string, authorisedAt: string) =>
    endOfConsent(
      { recurringIndicator, validUntil: validUntil as IsoDate },
      new Date(authorisedAt),
      aspspProfile,
    ).toISOString();

  it("recurring: the end of the local day validUntil", () => {
    expect(end(true, "2027-02-01", "2026-11-20T10:00:00Z")).toBe("2027-02-01T22:00:00.000Z");
  });

  it("recurring: 180 days after SCA when that is first", () => {
    expect(end(true, "2027-06-30", "2026-11-20T10:00:00Z")).toBe("2027-05-19T10:00:00.000Z");
  });

  it.each([
    ["of 23 hours", "2027-03-28", "2027-03-28T21:00:00.000Z"],
    ["before one of 23 hours", "2027-03-27", "2027-03-27T22:00:00.000Z"],
    ["of 25 hours", "2026-10-25", "2026-10-25T22:00:00.000Z"],
    ["before one of 25 hours", "2026-10-24", "2026-10-24T21:00:00.000Z"],
    ["that leap years have", "2028-02-29", "2028-02-29T22:00:00.000Z"],
    ["after which the year changes", "2026-12-31", "2026-12-31T22:00:00.000Z"],
  ])("recurring: the end of a local day %s", (_what, validUntil, expected) => {
    const authorisedAt = new Date(Date.parse(expected) - 30 * 86_400_000).toISOString();
    expect(end(true, validUntil, authorisedAt)).toBe(expected);
  });

  it("180 days are 180 times 24 hours, whatever the clocks do in between", () => {
    expect(end(true, "2027-12-31", "2026-10-20T12:00:00Z")).toBe("2027-04-18T12:00:00.000Z");
    expect(end(true, "2028-12-31", "2027-12-01T12:00:00Z")).toBe("2028-05-29T12:00:00.000Z");
  });

  it("one-off: 10 minutes after SCA", () => {
    expect(end(false, "2026-11-20", "2026-11-20T10:00:00Z")).toBe("2026-11-20T10:10:00.000Z");
  });
});
