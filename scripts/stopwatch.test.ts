import { expect, test } from "vitest";
import { stopwatch } from "./stopwatch";

test("a step's time is told with the share of the processors that were at work", () => {
  expect(stopwatch()()).toMatch(
    /^\d+ s on [1-9]\d* of [1-9]\d* processors, all of them \d{1,3} % busy$/,
  );
});
