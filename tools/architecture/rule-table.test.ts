import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasTest, idsHeld, promises, references } from "./rule-table";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe.each([
  ["docs/ais.md", 60],
  ["docs/cbpii.md", 40],
  ["docs/pis.md", 90],
  ["docs/threats.md", 90],
])("%s", (path, testsMin) => {
  const table = read(path);

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
      return !existsSync(join(root, file)) || !hasTest(read(file), name);
    });
    expect(missing).toEqual([]);
  });
});

describe("the ids of docs/threats.md", () => {
  const upTo = (letter: string, last: number) =>
    Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);

  it("are all there, in their order, each with a test of its name", () => {
    const all = [
      ...upTo("C", 14),
      ...upTo("S", 13),
      ...upTo("O", 15),
      ...upTo("P", 15),
      ...upTo("X", 17),
    ];
    expect(idsHeld(read("docs/threats.md"))).toEqual(all);
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

  it("tells which ids are held by a test of that id", () => {
    const rows = [
      '| C1: a | `lib/a.ts` | `lib/a.test.ts`: "is none", `lib/a.test.ts`: "C1: is one" |',
      '| C2: b | `lib/b.ts` | `lib/b.test.ts`: "C1: is another", `lib/b.test.ts`: "C22: is no C2" |',
    ].join("\n");
    expect(idsHeld(rows)).toEqual(["C1"]);
  });

  it("finds a test by its whole name only", () => {
    expect(hasTest('it("is one", () => {', "is one")).toBe(true);
    expect(hasTest("it(`is one`, () => {", "is one")).toBe(true);
    expect(hasTest('it("is one of two", () => {', "is one")).toBe(false);
  });
});
