import { expect, it } from "vitest";
import { failuresOf } from "./failures";

const passed = { status: "passed", fullName: "that holds", failureMessages: [] };
const failed = {
  status: "failed",
  fullName: "this holds",
  failureMessages: ["AssertionError: expected 1 to be 2\n    at somewhere"],
};

const reportOf = (...testResults: readonly object[]) => ({ testResults });

it("each test that failed is told with its file and the first line of its reason", () => {
  const file = { name: "/house/lib/a.test.ts", status: "failed", message: "" };
  const report = reportOf({ ...file, assertionResults: [passed, failed] });
  expect(failuresOf(report, "/house")).toEqual([
    "lib/a.test.ts: this holds: AssertionError: expected 1 to be 2",
  ]);
});

it("a file that could not be loaded is told with why", () => {
  const file = { name: "/house/lib/a.test.ts", status: "failed", message: "\nno such module\n" };
  expect(failuresOf(reportOf({ ...file, assertionResults: [] }), "/house")).toEqual([
    "lib/a.test.ts: no such module",
  ]);
});

it("what passed is not told", () => {
  const file = { name: "/house/lib/a.test.ts", status: "passed", message: "" };
  expect(failuresOf(reportOf({ ...file, assertionResults: [passed] }), "/house")).toEqual([]);
});

it("of many failures the first twenty are told", () => {
  const file = { name: "/house/lib/a.test.ts", status: "failed", message: "" };
  const assertionResults = Array.from({ length: 30 }, () => failed);
  expect(failuresOf(reportOf({ ...file, assertionResults }), "/house")).toHaveLength(20);
});
