import { describe, expect, it } from "vitest";
import { accountsTable, transactionsTable } from "./account-tables";
import { printable, table } from "./table";

describe("table", () => {
  it("makes columns as wide as they need and puts amounts on the right", () => {
    const columns = [{ heading: "Name" }, { heading: "Amount", align: "right" }] as const;
    expect(
      table(columns, [
        ["Ștefan", "1.00"],
        ["A", "-1200.50"],
      ]),
    ).toBe(
      ["Name      Amount", "------  --------", "Ștefan      1.00", "A       -1200.50"].join("\n"),
    );
  });

  it("lets no control character of a payer's text reach the terminal", () => {
    expect(printable("rent\u001b[2J\n\u202Emay")).toBe("rent [2J  may");
  });
});

describe("the accounts of a PSU", () => {
  it("show the three balances, and a dash for what the bank did not say", () => {
    const account = { resourceId: "r", iban: "RO1", currency: "RON", name: "Current" };
    const closingBooked = {
      balanceType: "closingBooked",
      balanceAmount: { amount: "37.40", currency: "RON" },
    };
    const [, , row] = accountsTable([{ ...account, balances: [closingBooked] }]).split("\n");
    expect(row?.split(/\s{2,}/)).toEqual(["Current", "RO1", "RON", "37.40", "-", "-"]);
  });

  it("show pending entries before booked ones, as many as asked for", () => {
    const transactionAmount = { amount: "-5.00", currency: "RON" };
    const text = transactionsTable(
      {
        transactions: {
          _links: { account: { href: "https://bank.example" } },
          booked: [
            { transactionAmount, bookingDate: "2026-11-02", creditorName: "Shop" },
            { transactionAmount, bookingDate: "2026-11-01" },
          ],
          pending: [{ transactionAmount, debtorName: "Employer" }],
        },
      },
      2,
    );
    const rows = text.split("\n").slice(2);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain("Employer");
    expect(rows[1]).toContain("2026-11-02");
  });
});
