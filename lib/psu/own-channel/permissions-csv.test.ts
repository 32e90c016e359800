import { describe, expect, it } from "vitest";
import { atPermissions } from "../testing/own-desk";
import { permissionAsked } from "./permission-path";
import { historyCsv, permissionsCsv } from "./permissions-csv";

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
