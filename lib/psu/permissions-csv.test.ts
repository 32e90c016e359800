import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csv } from "@/lib/csv";
import { permissionAsked } from "./paths";
import { historyCsv, permissionsCsv } from "./permissions-csv";
import { atPermissions } from "./testing/own-channel";

const cellsOf = (file: unknown) =>
  String(file)
    .slice(1)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('","'));

describe("the access history", () => {
  it("says when what was read of which account, attended or not, newest first", async () => {
    const { psu, accounts, read } = await atPermissions();
    read("accounts", true);
    read("balances", false);
    expect(await psu.details(accounts)).toMatchObject({
      history: {
        lines: [
          { what: "balances", attended: false, account: { name: "Account current" } },
          { what: "accounts", attended: true },
        ],
      },
      permission: { lastReadAt: expect.any(Date) },
    });
  });

  it("is shown page by page", async () => {
    const { psu, accounts, read } = await atPermissions();
    for (let nth = 0; nth < 51; nth += 1) read("accounts", true);
    const first = await psu.details(accounts);
    if (first === undefined || !("history" in first)) throw new Error("no history");
    expect(first.history.lines).toHaveLength(50);
    const second = await psu.details(accounts, first.history.next);
    expect(second).toMatchObject({ older: true, history: { lines: [{ what: "accounts" }] } });
    expect(second).not.toHaveProperty("history.next");
  });

  it("is downloaded with the account and how it was read", async () => {
    const { psu, accounts, read } = await atPermissions();
    read("accounts", true);
    read("balances", false);
    const address = permissionAsked(accounts);
    if (address === undefined) throw new Error("no address");
    const rows = cellsOf(await psu.inside((visit) => historyCsv(visit, address)));
    const who = ["Example TPP", "PSDRO-NBR-1234567"];
    const account = "Account current RO21DRWB0000000000000001 RON";
    const when = "20 November 2026, 12:00";
    expect(rows.slice(1)).toEqual([
      [when, ...who, "Balances", account, "Without you"],
      [when, ...who, "List of accounts", "All shared accounts", "While you were using it"],
    ]);
  });
});

describe("the download of the whole list", () => {
  it("has a row for each, past ones included, in the PSU's language", async () => {
    const { psu } = await atPermissions("ro");
    const rows = cellsOf(await psu.inside(permissionsCsv));
    expect(rows[0]?.slice(0, 4)).toEqual([
      "Furnizor",
      "Număr de înregistrare",
      "Ce anume",
      "Stare",
    ]);
    const states = rows.slice(1).map(([, , kind, state]) => `${kind}: ${state}`);
    expect(states.toSorted()).toEqual([
      "Confirmarea fondurilor: Activ",
      "Informații despre conturi: Activ",
      "Plată: Așteaptă confirmarea dumneavoastră",
    ]);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([15]));
  });

  it("P4: names of TPPs and payees are no formulas", async () => {
    const { ours, psu } = await atPermissions();
    const [payment] = [...ours.bank.payments.values()];
    if (payment === undefined) throw new Error("no payment");
    const creditor = { ...payment.order.creditor, name: '=cmd|"/c calc"!A1' };
    const order = { ...payment.order, creditor, remittance: "@SUM(A1:A9)" };
    ours.bank.payments.set(payment.id, { ...payment, order });
    const file = String(await psu.inside(permissionsCsv));
    expect(file).toContain(`"“=cmd|'/c calc'!A1”, ${creditor.iban}","'@SUM(A1:A9)"`);
  });
});

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
