import { expect, it } from "vitest";
import { parseInstant } from "./instant";

it.each([
  ["2026-12-31T00:00:00Z", "2026-12-31T00:00:00.000Z"],
  ["2026-12-31T02:00+02:00", "2026-12-31T00:00:00.000Z"],
  ["2028-02-29T23:59:59.999-01:00", "2028-03-01T00:59:59.999Z"],
])("%s is an instant", (text, instant) => {
  expect(parseInstant(text)?.toISOString()).toBe(instant);
});

it.each([
  "2026-12-31",
  "2026-12-31T00:00:00",
  "2026-02-30T00:00:00Z",
  "2026-12-31T25:00:00Z",
  "2026-12-31T00:00:00+25:00",
  "2026-12-31 00:00:00Z",
  "tomorrow",
  "1798675200000",
  "",
])("%j is none", (text) => {
  expect(parseInstant(text)).toBeUndefined();
});
