import { describe, expect, it } from "vitest";
import { invalid, thrown } from "../testing/refusal";
import { checkDate } from "./date-window";

describe("Date", () => {
  const at = new Date("2026-11-20T10:00:00Z");
  it.each([
    "2026-11-20T10:00:00Z",
    "Fri, 20 Nov 2026 10:00:00 +0000",
    "Fri, 20 Nov 2026 10:00:00 UTC",
    "fri, 20 nov 2026 10:00:00 gmt",
    "Mon, 20 Nov 2026 10:00:00 GMT",
    "Friday, 20-Nov-26 10:00:00 GMT",
    "Fri Nov 20 10:00:00 2026",
    "Fri, 20 Nov 2026 09:59:60 GMT",
    "Fri, 20 Nov 2026 10:00:00 GMT, Fri, 20 Nov 2026 10:00:00 GMT",
    "yesterday",
    "",
  ])("%j is not a date of RFC 7231: TIMESTAMP_INVALID", (date) =>
    expect(thrown(() => checkDate(date, at, 300))).toMatchObject({
      status: 400,
      faults: [{ code: "TIMESTAMP_INVALID" }],
    }),
  );

  it.each([
    [0, 300, true],
    [0, 301, false],
    [0, -300, true],
    [0, -301, false],
  ])(
    "sent again is judged by the clock of its own request: %i s, then %i s",
    (first, then, fits) => {
      const date = at.toUTCString();
      const when = (seconds: number) => new Date(at.getTime() + seconds * 1_000);
      expect(() => checkDate(date, when(first), 300)).not.toThrow();
      const again = expect(() => checkDate(date, when(then), 300));
      if (fits) again.not.toThrow();
      else again.toThrow("the bank's clock");
    },
  );

  it("that is wrong is not right because the one before it was", () => {
    const wrong = "Fri, 20 Nov 2026 10:00:00 +0000";
    for (const date of [at.toUTCString(), wrong, at.toUTCString(), wrong]) {
      const judged = expect(() => checkDate(date, at, 300));
      if (date === wrong) judged.toThrow("is not a date of RFC 7231");
      else judged.not.toThrow();
    }
  });

  it("that is missing is a fault of the signature", () => {
    expect(thrown(() => checkDate(null, at, 300))).toMatchObject(invalid("Date is missing"));
  });
});
