import { describe, expect, it } from "vitest";
import { forbiddenImports, type ImportTable } from "./import-table";
import { isForTests } from "./source-tree";

const table: ImportTable = {
  "lib/middle": { rooms: [], packages: ["node:crypto", "allowed"] },
  "lib/edge": { rooms: ["lib/middle", "lib/other/one-file"], packages: [] },
  "lib/other": { rooms: [], packages: ["node:*"] },
  "lib/alone": { rooms: [], packages: [] },
};

function violations(text: string, path = "lib/middle/made-up.ts") {
  return forbiddenImports({ path, text }, table);
}

describe("a forbidden import is found in", () => {
  it.each([
    `import { a } from "left-pad";`,
    `import "left-pad";`,
    `import type { A } from "left-pad";`,
    `export { a } from "left-pad";`,
    `export * from "left-pad";`,
    `const a = await import("left-pad");`,
    `type A = import("left-pad").A;`,
    `import a = require("left-pad");`,
    `const a = require("left-pad");`,
    `const name = "left-pad"; const a = await import(name);`,
    `import { a } from "@/lib/edge/door";`,
    `import { a } from "../edge/door";`,
    `import { a } from "../edge/door.ts";`,
    `import { a } from "@/lib/nowhere";`,
    `import { a } from "./testing/double";`,
    `import { a } from "./made-up.test";`,
    `import { a } from "node:fs";`,
    `import { a } from "allowed-not";`,
  ])("%s", (text) => {
    expect(violations(text)).toHaveLength(1);
  });

  it("a file with syntax of React", () => {
    const text = `import { A } from "left-pad"; export const b = <A />;`;
    expect(violations(text, "lib/middle/made-up.tsx")).toHaveLength(1);
  });

  it("a room that is one file", () => {
    expect(violations(`import { a } from "left-pad";`, "lib/alone.ts")).toHaveLength(1);
  });
});

describe("allowed is", () => {
  it.each([
    `import { a } from "allowed";`,
    `import { a } from "allowed/part";`,
    `import { createHash } from "node:crypto";`,
    `import { a } from "./neighbour";`,
    `import { a } from "@/lib/middle/deep/neighbour";`,
    `// import { a } from "left-pad";`,
    `const text = 'import { a } from "left-pad"';`,
    `export const a = 1;`,
  ])("%s", (text) => {
    expect(violations(text)).toEqual([]);
  });

  it("one file of a room, when the table names that file alone", () => {
    const path = "lib/edge/made-up.ts";
    expect(violations(`import { a } from "@/lib/other/one-file";`, path)).toEqual([]);
    expect(violations(`import { a } from "@/lib/other/another";`, path)).toHaveLength(1);
  });

  it("all of Node, when the table says so", () => {
    expect(violations(`import { a } from "node:net";`, "lib/other/made-up.ts")).toEqual([]);
  });
});

it("a violation names file, line, room and import", () => {
  expect(violations(`export const a = 1;\nimport { b } from "left-pad";`)).toEqual([
    "lib/middle/made-up.ts:2: lib/middle may not import left-pad",
  ]);
});

it("tests, test folders and testing files are told from the source", () => {
  const tests = ["a/b.test.ts", "a/b.spec.ts", "a/testing/c.ts", "a/testing.ts", "a/testing-x.ts"];
  expect(tests.filter(isForTests)).toEqual(tests);
  expect(["a/b.ts", "a/attesting.ts", "a/tests/b.ts"].filter(isForTests)).toEqual([]);
});
