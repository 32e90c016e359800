import { describe, expect, it } from "vitest";
import { invalid, thrown } from "../testing/refusal";
import { checkDate } from "./date-window";

describe("Date", () => {
  const at = new Date("2026-11-20T10:00:00Z");
  it.each(["2026-11-20T10:00:00Z", "Fri, 20 Nov 2026 10:00:00 +0000", "yesterday", ""])(
    "%j is not a date of RFC 7231: TIMESTAMP_INVALID",
    (date) =>
      expect(thrown(() => checkDate(date, at, 300))).toMatchObject({
        status: 400,
        faults: [{ code: "TIMESTAMP_INVALID" }],
      }),
  );

  it("that is missing is a fault of the signature", () => {
    expect(thrown(() => checkDate(null, at, 300))).toMatchObject(invalid("Date is missing"));
  });
});
