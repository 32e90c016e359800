import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv } from "./csv";

/** A reader of RFC 4180, as far as every cell is in quotes. */
function parsed(text: string): readonly (readonly string[])[] {
  const lines = text.slice(1).match(/(?:"(?:[^"]|"")*",?)+\r\n/g) ?? [];
  return lines.map((line) =>
    [...line.matchAll(/"((?:[^"]|"")*)"/g)].map(([, inside = ""]) => inside.replaceAll('""', '"')),
  );
}

describe("a download", () => {
  it("has the byte order mark, lines that end in CRLF, and every cell in quotes", () => {
    expect(
      csv([
        ["a", 'b "c"'],
        ["d,e", "f\ng"],
      ]),
    ).toBe('\ufeff"a","b ""c"""\r\n"d,e","f\ng"\r\n');
  });

  it.each([
    "=HYPERLINK(0)",
    "+1",
    "-1",
    "@SUM(A1)",
    " =1",
    "\u200b=1",
    "＝1",
    "＋1",
    "－1",
    "＠1",
    "\ttext",
  ])("%j is made text", (name) => {
    expect(parsed(csv([[name]]))).toEqual([[`'${name}`]]);
  });

  it.each([
    ['rent"";=HYPERLINK(0)', `rent"";'=HYPERLINK(0)`],
    ["a; \u200b+1", "a;' \u200b+1"],
    ['a;""@x', `a;'""@x`],
    ["a\t-1,=2", "a\t'-1,'=2"],
    ["\t=1", "'\t'=1"],
    ["\r=1", "'\r'=1"],
    ["\n=1", "'\n'=1"],
    ["1,234.50; b=c", "1,234.50; b=c"],
  ])("P4: %j holds no formula where lines are split at semicolons or tabs", (text, harmless) => {
    expect(parsed(csv([[text]]))).toEqual([[harmless]]);
  });

  it("P4: however a spreadsheet splits it, nothing begins like a formula; and nothing is lost", () => {
    const piece = fc.constantFrom(";", ",", "\t", '"', "=", "+", "-", "@", " ", "a", "1", "\u200b");
    const text = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 8 }).map((all) => all.join("")),
    );
    const cells = fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { maxLength: 5 });
    fc.assert(
      fc.property(cells, (rows) => {
        const read = parsed(csv(rows));
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        for (const [at, row] of read.entries()) {
          for (const [nth, cell] of row.entries()) {
            for (const part of cell.split(/[;,\t\r\n]/).slice(1)) {
              expect(part).not.toMatch(/^[\s"\u200b]*[=+\-@]/);
            }
            expect(cell).not.toMatch(/^\s*[=+\-@]/);
            expect(cell.replaceAll("'", "")).toBe(rows[at]?.[nth]?.replaceAll("'", ""));
          }
        }
      }),
    );
  });
});
