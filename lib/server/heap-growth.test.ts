import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { HEAP_GROWTH } from "./heap-growth";
import { nodeFlags } from "./start-arguments";

/** What V8 was left with in old space by garbage that lived for a moment, beside 50 MB that live on. */
const churn = `
  const kept = Array.from({ length: 50 }, () => new Array(131_072).fill(0));
  let most = 0;
  for (let turn = 0, lately = []; turn < 4_000; turn += 1) {
    lately.push(new Array(8_192).fill(turn));
    if (lately.length > 400) lately = lately.slice(200);
    if (turn > 1_000) most = Math.max(most, process.memoryUsage().heapTotal);
  }
  console.log(kept.length === 50 ? most : 0);
`;
const most = (before: string) =>
  Number(execFileSync(process.execPath, ["-e", `${before};${churn}`], { encoding: "utf8" }));

/** What V8 took for new objects, of which more live on than it has room for at first. */
const young = `
  const { getHeapSpaceStatistics } = require("node:v8");
  for (let made = 0, lately = []; made < 3_000_000; made += 1) {
    lately.push({ made });
    if (lately.length > 200_000) lately = [];
  }
  console.log(getHeapSpaceStatistics().find((one) => one.space_name === "new_space").space_size);
`;

const flags = nodeFlags();

/** Node 24 would take more than twice as much as Node 20, for which no server here was faster. */
it("the objects of a moment get as much room on each Node, 16 MB twice", () => {
  const bytes = execFileSync(process.execPath, [...flags, "-e", young], { encoding: "utf8" });
  expect(Number(bytes)).toBeLessThanOrEqual(2 * 16 * 1024 ** 2);
});

it("keeps the heap of a process that runs smaller than V8 would", () => {
  const asked = `require("node:v8").setFlagsFromString("${HEAP_GROWTH}")`;
  expect(most(asked)).toBeLessThan(most(""));
});

const threads = 'console.log(require("node:fs").readdirSync("/proc/self/task").length)';
const threadsWith = (...given: readonly string[]) =>
  Number(execFileSync(process.execPath, [...given, "-e", threads], { encoding: "utf8" }));

it.runIf(process.platform === "linux")(
  "V8 has one thread to help it, where Node gives it four",
  () => {
    expect(threadsWith(...flags)).toBe(threadsWith() - 3);
  },
);
