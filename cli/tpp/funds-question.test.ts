import { describe, expect, it } from "vitest";
import { demoDebtor } from "./demo-debtor";
import { fundsQuestion } from "./funds-question";
import { WrongUsage } from "./wrong-usage";

const needed = { amount: "100", currency: "RON" };

describe("a question about funds as it was typed", () => {
  it("goes to the bank as it is", () => {
    expect(fundsQuestion({ ...needed, iban: "RO49AAAA1B31007593840000", card: "1234" })).toEqual({
      account: { iban: "RO49AAAA1B31007593840000" },
      instructedAmount: { currency: "RON", amount: "100" },
      cardNumber: "1234",
    });
  });

  it("is about an account of Ana's where no IBAN is given", () => {
    expect(fundsQuestion(needed)).toEqual({
      account: { iban: demoDebtor("RON") },
      instructedAmount: { currency: "RON", amount: "100" },
    });
  });

  it.each([
    { currency: "RON" },
    { amount: "100" },
    { ...needed, amount: "-1" },
    { ...needed, amount: "1,50" },
    { ...needed, amount: "1.505" },
    { ...needed, currency: "lei" },
  ])("with %o is wrong usage, before the PSU is asked", (values) => {
    expect(() => fundsQuestion(values)).toThrow(WrongUsage);
  });
});
