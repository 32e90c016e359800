import { describe, expect, it } from "vitest";
import { changed, entriesIn, entryIn, euro, november, october, statementIn } from "./testing";

describe("a statement of version .001.08", () => {
  it("tells the same entry as version .001.02 does", () => {
    for (const reference of ["XM20261019000077", "XM20261031000009"]) {
      expect(entryIn(november, reference)).toEqual(entryIn(october, reference));
    }
  });

  it("has names under Pty and banks by BICFI, and begins with PRCD", () => {
    expect(statementIn(november).opening).toMatchObject({
      amountMinor: 693_045n,
      day: "2026-10-18",
    });
    expect(entryIn(november, "XM20261103000155")?.counterparty).toEqual({
      name: "Verlag am Hafen GmbH",
      iban: "DE14123456780000004711",
      bic: "XMPLDEFF",
    });
  });

  it("an entry for information is left out, and counted", () => {
    expect(statementIn(november).entries).toHaveLength(5);
    expect(statementIn(november).leftOut).toBe(1);
  });

  it("an entry of zero is left out, and counted", () => {
    const booked = "<Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt>";
    const text = changed(november, /<Cd>INFO<\/Cd>\s*<\/Sts>/, booked);
    expect(statementIn(text).entries).toHaveLength(5);
    expect(statementIn(text).leftOut).toBe(1);
  });

  it("takes the currency from the balances where the account has none, and five decimals", () => {
    expect(statementIn(euro).account).toMatchObject({ currency: "EUR", bic: "XMPLROBUXXX" });
    expect(statementIn(euro).opening.amountMinor).toBe(-2_000n);
    expect(statementIn(euro).closing).toMatchObject({ amountMinor: 106_350n, day: "2026-11-05" });
  });

  it("a mixed batch has each transaction's own direction, reference and code", () => {
    expect(entriesIn(euro).slice(0, 2)).toMatchObject([
      {
        reference: "X309-1-A",
        amountMinor: 124_000n,
        counterparty: { name: "Brauerei Zur Alten Mühle" },
        remittance: "Etiketten RF18539007547034",
        endToEndId: "2026/0711",
        bankTransactionCode: "PMNT-RCDT-ESCT",
      },
      {
        reference: "X309-1-B",
        amountMinor: -14_000n,
        counterparty: { name: "Druckerei Weiß", iban: "DE84123456780000004712" },
        bankTransactionCode: "PMNT-ICDT-ESCT",
      },
    ]);
  });

  it("a batch whose amounts do not add up stays one entry, of nobody alone", () => {
    expect(entriesIn(euro).slice(2)).toMatchObject([
      {
        reference: "2026-309-2",
        amountMinor: -1_650n,
        counterparty: {},
        remittance: "Two payments and 1.50 of charges",
        bankTransactionCode: "PMNT-MDOP-OTHR",
      },
    ]);
  });
});
