import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { houseTable as table } from "@/tools/architecture/house-table";
import { forbiddenImports, roomOf } from "@/tools/architecture/import-table";
import { isForTests, isSource, textFiles } from "@/tools/architecture/source-tree";
import { writingRules } from "@/tools/architecture/writing-rules";

const files = textFiles(join(import.meta.dirname, ".."));
const sources = files.filter((file) => isSource(file) && !isForTests(file.path));

describe("the import table", () => {
  it("holds for every source file", () => {
    expect(sources.flatMap((file) => forbiddenImports(file, table))).toEqual([]);
  });

  describe.each(Object.entries(table))("%s", (name, room) => {
    it("has files", () => {
      expect(sources.some(({ path }) => roomOf(path, table) === name)).toBe(true);
    });

    it("may not import a package the table does not name", () => {
      expect(forbiddenImports(importing(name, "left-pad"), table)).toHaveLength(1);
    });

    it("may not import from a room the table does not name", () => {
      const known = [name, ...room.rooms];
      const strangers = Object.keys(table).filter((other) => {
        return !known.some((entry) => `${other}/`.startsWith(`${entry}/`));
      });
      const reported = strangers.filter((other) => {
        return forbiddenImports(importing(name, `@/${other}/made-up`), table).length === 1;
      });
      expect(reported).toEqual(strangers);
    });
  });

  it("a file in no room of the table is a violation", () => {
    expect(forbiddenImports({ path: "lib/helpers/made-up.ts", text: "" }, table)).toHaveLength(1);
  });
});

describe("how the source is written", () => {
  it.each(Object.entries(writingRules))("%s", (_name, rule) => {
    expect(files.flatMap(rule)).toEqual([]);
  });
});

function importing(room: string, specifier: string) {
  return { path: `${room}/made-up.ts`, text: `import { thing } from "${specifier}";` };
}
