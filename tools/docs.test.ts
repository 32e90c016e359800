import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, type PgColumn, PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import * as schema from "@/drizzle/schema/drawbridge";
import { scripts } from "@/package.json";
import { ROOT, sourceFiles } from "./source-files";

const pages = sourceFiles(/^[A-Z]+\.md$|^docs\/.*\.md$/);
const textOf = (wanted: string) => pages.find(({ path }) => path === wanted)?.text ?? "none";
const all = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map(([, one]) => `${one}`);

/** As GitHub makes them of a page's headings. */
function anchorsOf(path: string): readonly string[] {
  return all(/^#+ (.+)$/gm, textOf(path)).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function leadsNowhere(page: string, target: string): boolean {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? page : join(dirname(page), file);
  if (!existsSync(join(ROOT, path))) return true;
  return anchor !== undefined && path.endsWith(".md") && !anchorsOf(path).includes(anchor);
}

describe.each(pages)("$path", ({ path, text }) => {
  it("leads to files and headings that are there", () => {
    const ours = all(/\]\(([^)\s]+)\)/g, text).filter((target) => !/^[a-z]+:/.test(target));
    expect(ours.filter((target) => leadsNowhere(path, target))).toEqual([]);
  });

  it("names commands of package.json", () => {
    const named = all(/npm run ([a-z:-]+)/g, text);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

const FILE = /`([\w./[\]()-]+\.tsx?)`/g;
const TEST = /`([\w./[\]()-]+\.tsx?)`: "(.+?)"(?=, `|$)/g;

type Row = { readonly rule: string; readonly place: string; readonly heldBy: string };

/** Of tables of three columns: the rule, its place, and what holds it. */
function rowsOf(page: string): readonly Row[] {
  return textOf(page)
    .split("\n")
    .flatMap((line) => {
      const [, rule = "", place = "", heldBy = "", ...more] = line.split(/(?:^| +)\|(?: +|$)/);
      return more.length === 1 && !/^(Rule|-+)$/.test(rule) ? [{ rule, place, heldBy }] : [];
    });
}

function testsOf({ heldBy }: Row) {
  return [...heldBy.matchAll(TEST)].map(([, file = "", name = ""]) => ({ file, name }));
}

describe.each([
  ["docs/ais.md", 60],
  ["docs/cbpii.md", 40],
  ["docs/pis.md", 90],
  ["docs/threats.md", 90],
])("the rules of %s", (page, testsMin) => {
  const rows = rowsOf(page);
  const sources = new Map(sourceFiles(/\.tsx?$/).map(({ path, text }) => [path, text]));

  it("each have a place that is there", () => {
    const places = rows.map(({ rule, place }) => ({ rule, files: all(FILE, place) }));
    const astray = places.filter(
      ({ files }) => files.length === 0 || files.some((file) => !sources.has(file)),
    );
    expect(astray).toEqual([]);
  });

  it("each have a test that is there", () => {
    const tests = rows.flatMap(testsOf);
    expect(tests.length).toBeGreaterThan(testsMin);
    expect(rows.filter((row) => testsOf(row).length === 0)).toEqual([]);
    const missing = tests.filter(({ file, name }) => {
      const text = sources.get(file);
      return ![`"${name}"`, `\`${name}\``, `'${name}'`].some((quoted) => text?.includes(quoted));
    });
    expect(missing).toEqual([]);
  });
});

it("the ids of docs/threats.md are all there, in their order, each with a test of its name", () => {
  const upTo = ([letter, last]: readonly [string, number]) =>
    Array.from({ length: last }, (_, index) => `${letter}${index + 1}`);
  const wanted = (
    [
      ["C", 14],
      ["S", 13],
      ["O", 15],
      ["B", 15],
      ["P", 16],
      ["I", 13],
      ["E", 1],
      ["K", 3],
      ["W", 3],
      ["X", 17],
      ["H", 4],
    ] as const
  ).flatMap(upTo);
  const held = rowsOf("docs/threats.md").flatMap((row) => {
    const [id = "none"] = row.rule.split(": ");
    return testsOf(row).some(({ name }) => name.startsWith(`${id}: `)) ? [id] : [];
  });
  expect(held).toEqual(wanted);
});

it("docs/performance.md names each option of the bench", () => {
  const [, bench = ""] = sourceFiles(/^tools\/bench\/run\.ts$/)[0]?.text.split(".object({") ?? [];
  const options = all(/^ {4}(\w+): (?:count\(|z\.)/gm, bench).map((name) => `--${name}`);
  expect(options).toHaveLength(8);
  expect(options.filter((option) => !textOf("docs/performance.md").includes(option))).toEqual([]);
});

it("docs/scale.md names the tables whose keys come from a sequence", () => {
  const numbered = Object.values<unknown>(schema)
    .filter((one) => is(one, PgTable))
    .map((table) => getTableConfig(table))
    .filter(({ columns, primaryKeys }) => {
      const ofSeveral = primaryKeys.flatMap((key) => key.columns.map(({ name }) => name));
      const isNumber = (column: PgColumn) => column.getSQLType() === "bigint";
      return columns.some(
        (one) => one.name === "id" && isNumber(one) && (one.primary || ofSeveral.includes("id")),
      );
    })
    .map(({ name }) => name);
  const [, section = ""] = textOf("docs/scale.md").split("### Numbered rows\n");
  expect(all(/^\| `(\w+)`/gm, section).toSorted()).toEqual(numbered.toSorted());
});
