import { describe, expect, it } from "vitest";
import { readBankFile } from "@/lib/profile/read";
import { demoAccounts, ownIban } from "@/lib/sandbox/demo-bank-people";
import { demoDebtor } from "./demo-debtor";

describe("without an account the sandbox's payment is from Ana's", () => {
  it.each([
    ["RON", demoAccounts.anaCurrent],
    ["EUR", demoAccounts.travelEur],
    ["USD", demoAccounts.travelUsd],
  ] as const)("in %s: an account of this currency", (currency, account) => {
    expect(account.owners[0][0]).toBe("ana");
    expect(account.currency).toBe(currency);
    expect(demoDebtor(currency)).toBe(ownIban(account.number));
  });

  it("at the bank whose profile it is", () => {
    const { profile } = readBankFile("examples/profiles/banca-zori/bank.yaml");
    expect(demoDebtor("RON", profile)).toMatch(/^RO\d{2}ZORI0001\d+101$/);
  });

  it("in any other: one with several currencies", () => {
    expect(demoDebtor("NOK")).toBe(ownIban(demoAccounts.travelEur.number));
  });
});
