import { expect, it } from "vitest";
import { summarise } from "./summary";

const frame = (functionName: string, url: string) => ({
  functionName,
  url,
  lineNumber: 0,
  columnNumber: 0,
});
const nodes = [
  frame("(root)", ""),
  frame("(idle)", ""),
  frame("(garbage collector)", ""),
  frame("handle", "file:///bank/node_modules/postgres/src/connection.js"),
  frame("parse", "file:///bank/lib/xs2a/parse.ts"),
  frame("emit", "node:events"),
  frame("write", ""),
].map((callFrame, id) => ({ id, callFrame }));

it("shares are of the time in which the server was not idle, by package and room", () => {
  const samples = [1, 1, 2, 3, 4, 5, 6, 6];
  const { groups, functions, busy } = summarise({
    nodes,
    samples,
    timeDeltas: samples.map(() => 1_000),
  });
  expect(busy).toBe(6);
  expect(
    Object.fromEntries(groups.map(({ name, share }) => [name, Math.round(share * 6)])),
  ).toEqual({
    native: 2,
    "(garbage collector)": 1,
    postgres: 1,
    "lib/xs2a": 1,
    "node:events": 1,
  });
  expect(functions.map(({ name }) => name)).toContain("handle postgres/src/connection.js:1");
});
