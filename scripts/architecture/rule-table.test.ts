import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasTest, promises, references } from "./rule-table";

const root = join(import.meta.dirname, "../..");

describe.each([
  ["docs/ais.md", 60],
  ["docs/cbpii.md", 40],
  ["docs/pis.md", 90],
])("%s", (document, testsMin) => {
  const table = readFileSync(join(root, document), "utf8");

  it("has a place and a test for every rule", () => {
    expect(references(table).tests.length).toBeGreaterThan(testsMin);
    expect(promises(table)).toEqual([]);
  });

  it("names only files that are there", () => {
    const { files } = references(table);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it("names only tests that are there", () => {
    const missing = references(table).tests.filter(({ file, name }) => {
      const path = join(root, file);
      return !existsSync(path) || !hasTest(readFileSync(path, "utf8"), name);
    });
    expect(missing).toEqual([]);
  });
});

describe("a rule table", () => {
  const text = [
    "| Rule  | Place | Held by |",
    "| ----- | ----- | ------- |",
    '| one | `lib/a.ts`, `lib/b.ts` | `lib/a.test.ts`: "is one", `e2e/b.spec.ts`: "has x["y"]"   |',
    "| two | `lib/c.ts` | nobody |",
    '| three | somewhere | `lib/a.test.ts`: "is three" |',
  ].join("\n");

  it("names files and tests", () => {
    expect(references(text)).toEqual({
      files: [
        "lib/a.ts",
        "lib/b.ts",
        "lib/c.ts",
        "lib/a.test.ts",
        "e2e/b.spec.ts",
        "lib/a.test.ts",
      ],
      tests: [
        { file: "lib/a.test.ts", name: "is one" },
        { file: "e2e/b.spec.ts", name: 'has x["y"]' },
        { file: "lib/a.test.ts", name: "is three" },
      ],
    });
  });

  it("tells which rules have no place or no test", () => {
    expect(promises(text)).toEqual(["two", "three"]);
  });

  it("finds a test by its whole name only", () => {
    expect(hasTest('it("is one", () => {', "is one")).toBe(true);
    expect(hasTest("it(`is one`, () => {", "is one")).toBe(true);
    expect(hasTest('it("is one of two", () => {', "is one")).toBe(false);
  });
});
