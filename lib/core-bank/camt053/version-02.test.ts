import { describe, expect, it } from "vitest";
import { changed, entriesIn, entryIn, october, statementIn } from "./testing";

describe("a statement of version .001.02", () => {
  it("has account, balances and every entry", () => {
    const { id, account, opening, closing, leftOut } = statementIn(october);
    expect(id).toBe("4711-RON-2026-10");
    expect(account).toEqual({
      iban: "RO04XMPL0000000000004711",
      currency: "RON",
      bic: "XMPLROBU",
      name: "Cont curent",
      product: "Imported account",
      kind: "current",
    });
    expect(opening).toMatchObject({ amountMinor: 125_000n, day: "2026-10-01" });
    expect(closing).toMatchObject({ amountMinor: 719_435n, day: "2026-10-31" });
    expect(leftOut).toBe(0);
    expect(entriesIn(october).map((entry) => [entry.day, entry.status, entry.amountMinor])).toEqual(
      [
        ["2026-10-02", "booked", 845_000n],
        ["2026-10-05", "booked", -230_000n],
        ["2026-10-08", "booked", -8_640n],
        ["2026-10-12", "booked", -14_390n],
        ["2026-10-12", "booked", -22_725n],
        ["2026-10-15", "booked", -1_200n],
        ["2026-10-19", "booked", 14_390n],
        ["2026-10-31", "booked", 12_000n],
        ["2026-10-31", "pending", -5_999n],
      ],
    );
  });

  it("a debit has its creditor, bank, references and joined remittance information", () => {
    expect(entryIn(october, "XM20261005000204")).toEqual({
      reference: "XM20261005000204",
      status: "booked",
      amountMinor: -230_000n,
      day: "2026-10-05",
      valueOn: "2026-10-05",
      counterparty: { name: "Radu Stan", iban: "RO51OTHR0000000000000815", bic: "OTHRROBU" },
      remittance: "Chirie octombrie, apartament 12",
      endToEndId: "CHIRIE-2026-10",
      bankTransactionCode: "PMNT-ICDT-STDO",
    });
  });

  it("a credit has its debtor", () => {
    expect(entryIn(october, "XM20261002000117")?.counterparty).toEqual({
      name: "Editura Pădurea Înaltă SRL",
      iban: "RO24OTHR0000000000000816",
      bic: "OTHRROBUXXX",
    });
  });

  it("an entry without details has what the bank says about it", () => {
    expect(entryIn(october, "XM20261008000051")).toMatchObject({
      counterparty: {},
      remittance: "Card 4417, Băcănia Pop & Fiii, Cluj",
      valueOn: "2026-10-06",
    });
  });

  it("a batch whose amounts add up is one entry for each transaction", () => {
    expect(entryIn(october, "XM20261012000308/1")).toMatchObject({
      amountMinor: -14_390n,
      counterparty: { name: "Lumina Electrică SA", iban: "RO69UTIL0000000000000042" },
      endToEndId: "00520961-10",
      remittance: "Factura 00520961",
    });
    expect(entryIn(october, "XM20261012000308/2")).toMatchObject({
      amountMinor: -22_725n,
      counterparty: { name: "Apa Bună SA" },
      remittance: "Apă, trimestrul III",
    });
  });

  it("a batch with an amount in another currency stays one entry", () => {
    const text = changed(
      october,
      '<Amt Ccy="RON">143.90</Amt>\n              </Tx',
      '<Amt Ccy="EUR">29.00</Amt>\n              </Tx',
    );
    expect(entryIn(text, "XM20261012000308")).toMatchObject({
      amountMinor: -37_115n,
      counterparty: {},
    });
  });

  it("a proprietary code alone becomes ISO's miscellaneous debit or credit operation", () => {
    expect(entryIn(october, "XM20261015000001")).toMatchObject({
      bankTransactionCode: "PMNT-MDOP-OTHR",
      valueOn: undefined,
    });
    const credit = changed(october, /<Domn>\s*<Cd>PMNT<\/Cd>[\s\S]*?<\/Domn>/, "<Prtry/>");
    expect(entryIn(credit, "XM20261002000117")?.bankTransactionCode).toBe("PMNT-MCOP-OTHR");
  });

  it("a reversal keeps its own sign, and its parties the roles of what is reversed", () => {
    const reversal = { amountMinor: 14_390n, counterparty: { name: "Lumina Electrică SA" } };
    expect(entryIn(october, "XM20261019000077")).toMatchObject(reversal);
    const plain = changed(october, "<RvslInd>true</RvslInd>", "<RvslInd>false</RvslInd>");
    expect(entryIn(plain, "XM20261019000077")?.counterparty).toEqual({ name: "Ana Popescu" });
  });

  it("one's own account among the parties tells which side is the other one", () => {
    const own = `<DbtrAcct><Id><IBAN>RO04XMPL0000000000004711</IBAN></Id></DbtrAcct>`;
    const plain = changed(october, "<RvslInd>true</RvslInd>", "");
    const told = changed(plain, /(<Nm>Ana Popescu<\/Nm>\s*<\/Dbtr>)(\s*<Cdtr>)/, `$1${own}$2`);
    expect(entryIn(told, "XM20261019000077")?.counterparty.name).toBe("Lumina Electrică SA");
  });

  it("an instant falls on the bank's local day, a creditor reference is remittance information", () => {
    expect(entryIn(october, "XM20261031000009")).toMatchObject({
      day: "2026-10-31",
      valueOn: "2026-10-31",
      remittance: "RF18539007547034",
      endToEndId: undefined,
    });
  });
});

describe("texts", () => {
  it("are cut to 140 characters of remittance information and 70 of a name, never within one", () => {
    const long = changed(october, "Chirie octombrie,", "💶".repeat(139));
    expect([...String(entryIn(long, "XM20261005000204")?.remittance)]).toHaveLength(139);
    const name = changed(october, "Radu Stan", "ș".repeat(140));
    expect(entryIn(name, "XM20261005000204")?.counterparty.name).toBe("ș".repeat(70));
  });

  it("name a creditor reference once", () => {
    const information = /<RmtInf>\s*<Strd>/;
    const text = changed(october, information, "<RmtInf><Ustrd>RF18539007547034 met</Ustrd><Strd>");
    expect(entryIn(text, "XM20261031000009")?.remittance).toBe("RF18539007547034 met");
  });

  it("a savings account and a loan are what they are", () => {
    expect(statementIn(changed(october, "CACC", "SVGS")).account.kind).toBe("savings");
    expect(statementIn(changed(october, "CACC", "LOAN")).account.kind).toBe("loan");
  });
});
