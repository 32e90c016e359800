import { describe, expect, it } from "vitest";
import { changed, euro, november, october, saidOf } from "./testing";

const stmt = "/Document/BkToCstmrStmt/Stmt";

describe("a file that does not add up is refused with the place", () => {
  it("the opening balance and the booked entries do not make the closing balance", () => {
    expect(saidOf(changed(october, "7194.35", "7194.36"))).toBe(
      `${stmt}/Bal[2]: opening balance and booked entries make 7194.35, the closing balance is 7194.36`,
    );
  });

  it("a pending entry is no part of the closing balance", () => {
    const booked = "<Sts>BOOK</Sts><BookgDt><Dt>2026-10-31</Dt></BookgDt>";
    const text = changed(october, "<Sts>PDNG</Sts>", booked);
    expect(saidOf(text)).toContain("booked entries make 7134.36");
  });

  it("an entry for information is no part of it either", () => {
    const text = changed(november, '<Amt Ccy="RON">0.00', '<Amt Ccy="RON">1.00');
    expect(saidOf(text)).toContain("TxsSummry/TtlNtries/Sum: says 668.89");
  });

  it("a debit balance has its sign", () => {
    const text = changed(euro, "<c:CdtDbtInd>DBIT<", "<c:CdtDbtInd>CRDT<");
    expect(saidOf(text)).toContain("booked entries make 1103.50");
  });

  it("OPBD and PRCD differ", () => {
    const [balance = ""] = /<Bal>[\s\S]*?<\/Bal>/.exec(november) ?? [];
    const other = balance.replace("PRCD", "OPBD").replace("6930.45", "6930.44");
    expect(saidOf(changed(november, balance, balance + other))).toBe(
      `${stmt}/Bal[2]: the balances OPBD and PRCD differ`,
    );
  });

  it.each([
    ["NbOfNtries>8", "NbOfNtries>9", "TtlNtries/NbOfNtries: says 9, there are 8 entries"],
    ["NbOfNtries>3", "NbOfNtries>2", "TtlCdtNtries/NbOfNtries: says 2, there are 3 entries"],
    ["NbOfNtries>5", "NbOfNtries>x", "TtlDbtNtries/NbOfNtries: says x, there are 5 entries"],
    ["11543.44", "11543.45", "TtlNtries/Sum: says 11543.45, the entries make 11543.44"],
    ["8713.90", "8713.80", "TtlCdtNtries/Sum: says 8713.80, the entries make 8713.90"],
    ["2829.54", "2829.55", "TtlDbtNtries/Sum: says 2829.55, the entries make 2829.54"],
    ["5884.36", "5884.30", "TtlNtries/TtlNetNtryAmt: says 5884.30, the entries make 5884.36"],
    [
      /(5884.36<\/TtlNetNtryAmt>\s*<CdtDbtInd>)CRDT/,
      "$1DBIT",
      "TtlNtries/CdtDbtInd: says DBIT, the entries make 5884.36",
    ],
  ])("a summary that is wrong: %s for %s", (from, to, said) => {
    expect(saidOf(changed(october, from, to))).toBe(`${stmt}/TxsSummry/${said}`);
  });

  it("a wrong net amount in version .001.08", () => {
    expect(saidOf(changed(november, "<Amt>458.91", "<Amt>458.92"))).toBe(
      `${stmt}/TxsSummry/TtlNtries/TtlNetNtry/Amt: says 458.92, the entries make 458.91`,
    );
  });
});

describe("another currency than the account's is refused", () => {
  it("in a balance and in an entry", () => {
    const balance = changed(november, /Ccy="RON">6930/, 'Ccy="EUR">6930');
    const entry = changed(november, /Ccy="RON">143/, 'Ccy="EUR">143');
    const reason = "is in EUR, the account is in RON";
    expect(saidOf(balance)).toBe(`${stmt}/Bal[1]/Amt: ${reason}`);
    expect(saidOf(entry)).toBe(`${stmt}/Ntry[1]/Amt: ${reason}`);
  });

  it("an amount without a currency", () => {
    const text = changed(november, /<Amt Ccy="RON">143/, "<Amt>143");
    expect(saidOf(text)).toBe(`${stmt}/Ntry[1]/Amt: the attribute Ccy is missing`);
  });

  it("a currency that is no code", () => {
    expect(saidOf(changed(november, "<Ccy>RON", "<Ccy>lei"))).toBe(
      `${stmt}/Acct/Ccy: the currency is missing or no code of three letters`,
    );
  });
});
