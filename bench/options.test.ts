import { expect, it } from "vitest";
import { modes, optionsOf } from "./options";
import { scenarioNames } from "./scenarios";

it("without options everything is compared", () => {
  expect(optionsOf([])).toEqual({
    mode: "compare",
    seconds: 5,
    rounds: 3,
    rate: 200,
    connections: 16,
    pool: 4,
    workers: 1,
    pages: 16,
    requests: 1_000_000,
    only: scenarioNames,
  });
});

it("what is asked for is measured, in the mode that is asked for", () => {
  const options = optionsOf([
    "--memory",
    "--requests",
    "100",
    "--only",
    "funds",
    "--only",
    "payments",
  ]);
  expect(options).toMatchObject({ mode: "memory", requests: 100, only: ["funds", "payments"] });
});

it("the product may be left without pages that it keeps", () => {
  expect(optionsOf(["--pages", "0"]).pages).toBe(0);
});

it.each(modes)("%s is a mode", (mode) => {
  const args = mode === "compare" ? [] : [`--${mode}`];
  expect(optionsOf(args).mode).toBe(mode);
});

it.each([
  ["--seconds", "0"],
  ["--rounds", "1.5"],
  ["--pool", "0"],
  ["--workers", "0"],
  ["--pages", "-1"],
  ["--pages", ""],
  ["--rate", "many"],
  ["--only", "everything"],
  ["--fast"],
])("%s %s is refused", (...args) => expect(() => optionsOf(args)).toThrow(/--|'--fast'/));
