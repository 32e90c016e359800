import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { placing } from "./place";

let folder: string;
let bundle: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-place-"));
  await mkdir(join(folder, ".next"));
  bundle = join(folder, ".next", "bundle.mjs");
  const lines = [
    "",
    "// node_modules/zod/core.js",
    "parse();",
    "// lib/xs2a/parse.ts",
    "a();",
    "b();",
  ];
  await writeFile(bundle, lines.join("\n"));
});
afterAll(() => rm(folder, { recursive: true }));

const at = (url: string, lineNumber: number) =>
  placing()({ functionName: "f", url, lineNumber, columnNumber: 0 });

it("what was bundled is led back to the file it is from", () => {
  expect(at(bundle, 2)).toBe("zod/core.js");
  expect(at(`file://${bundle}`, 5)).toBe("lib/xs2a/parse.ts");
});

it("what no file is named for stays where it is", () => {
  expect(at(bundle, 0)).toBe(`${bundle}:1`);
});

it("a package and a room of ours are shown without the way there", () => {
  expect(at("file:///bank/node_modules/postgres/src/index.js", 6)).toBe("postgres/src/index.js:7");
  expect(at("/bank/lib/server/start.ts", 0)).toBe("lib/server/start.ts:1");
});

it("a part of Node has its own name", () => {
  expect(at("node:events", 3)).toBe("node:events");
});
