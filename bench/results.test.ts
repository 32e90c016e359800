import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeResults } from "./results";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-results-"));
});
afterEach(() => rm(folder, { recursive: true }));

const how = { machine: { cores: 2 } };
const steps = [{ requests: 100, megabytes: 200, mostMegabytes: 210 }];

it("each mode has a file of its own", async () => {
  await writeResults(folder, how, { mode: "compare", table: {} });
  await writeResults(folder, how, { mode: "memory", steps });
  expect(await readdir(folder)).toEqual(["results-memory.json", "results.json"]);
});

it("a file says what was found, and how", async () => {
  await writeResults(folder, how, { mode: "memory", steps });
  const text = await readFile(join(folder, "results-memory.json"), "utf8");
  expect(JSON.parse(text)).toEqual({ machine: { cores: 2 }, mode: "memory", steps });
});
