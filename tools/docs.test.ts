import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import * as schema from "@/drizzle/schema";
import { benchOptions } from "@/tools/bench/options";

const ROOT = join(import.meta.dirname, "..");
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const docs = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
const pages = ["README.md", "CHANGELOG.md", ...docs.map((name) => `docs/${name}`)];

/** As GitHub makes them of a page's headings. */
function anchorsOf(path: string): readonly string[] {
  const headings = [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
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

describe.each(pages)("%s", (page) => {
  it("leads to files and headings that are there", () => {
    const targets = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const ours = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(ours.filter((target) => leadsNowhere(page, target))).toEqual([]);
  });

  it("names commands of package.json", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: object };
    const named = [...textOf(page).matchAll(/npm run ([a-z:-]+)/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

it("docs/performance.md names each option of the bench", () => {
  const options = Object.keys(benchOptions).map((name) => `--${name}`);
  const page = textOf("docs/performance.md");
  expect(options.filter((option) => !page.includes(option))).toEqual([]);
});

it("docs/scale.md names the tables whose keys come from a sequence", () => {
  const tables = Object.values<unknown>(schema).filter((one) => is(one, PgTable));
  const numbered = tables
    .map((table) => getTableConfig(table))
    .filter(({ columns }) => columns.some(({ generatedIdentity }) => generatedIdentity))
    .map(({ name }) => name);
  const [, section = ""] = textOf("docs/scale.md").split("### Numbered rows\n");
  const named = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(numbered.toSorted());
});
