import { describe, expect, it } from "vitest";
import { CREDITOR, DEBTOR, faultsIn, pay, paymentBody, sepa } from "../testing/payment-request";

const sides = ["debtorAccount", "creditorAccount"] as const;

const ibanTricks = [
  ["blanks", "DE89 3704 0044 0532 0130 00"],
  ["wrong check digits", "DE88370400440532013000"],
  ["a country that has other lengths", "DE8937040044053201300"],
  ["no such country", "XX89370400440532013000"],
  ["a dotless i, whose capital is an I", "Gı75NWBK000000007099453"],
  ["a long s, whose capital is an S", "MT84MALT011000012345MTLCAST001ſ"],
  ["digits of another script", CREDITOR.replace("8", "٨")],
  ["a NUL", `${CREDITOR}\u0000`],
  ["nothing", ""],
  ["a number", 8_937],
  ["null", null],
] as const;

describe.each(sides)("the %s", (side) => {
  it.each(ibanTricks)("B11: with %s for an IBAN is refused", (_, iban) => {
    expect(faultsIn({ [side]: { iban } })).toEqual([["FORMAT_ERROR", `${side}.iban`]]);
  });

  it("B11: in small letters is the same account", () => {
    const iban = side === "debtorAccount" ? DEBTOR : CREDITOR;
    const { order } = pay(sepa, paymentBody(sepa, { [side]: { iban: iban.toLowerCase() } }));
    expect([order.debtor.iban, order.creditor.iban]).toEqual([DEBTOR, CREDITOR]);
  });

  it.each(["bban", "pan", "maskedPan", "msisdn", "other", "surprise"])(
    "by %s is refused, alone and beside an IBAN",
    (name) => {
      const path = ["FORMAT_ERROR", `${side}.${name}`];
      expect(faultsIn({ [side]: { [name]: "1" } })).toContainEqual(path);
      const iban = side === "debtorAccount" ? DEBTOR : CREDITOR;
      expect(faultsIn({ [side]: { iban, [name]: "1" } })).toEqual([path]);
    },
  );

  it.each(["XXX", "eur", "EURO", "", 978])("in the currency %j is refused", (currency) => {
    const iban = side === "debtorAccount" ? DEBTOR : CREDITOR;
    expect(faultsIn({ [side]: { iban, currency } })).toEqual([
      ["FORMAT_ERROR", `${side}.currency`],
    ]);
  });

  it.each([null, "text", [], 1])("that is %j is refused", (account) => {
    expect(faultsIn({ [side]: account })).toEqual([["FORMAT_ERROR", side]]);
  });
});

describe("the two accounts", () => {
  it("are never one and the same, however it is written", () => {
    for (const account of [{ iban: DEBTOR }, { iban: DEBTOR.toLowerCase(), currency: "RON" }]) {
      expect(faultsIn({ creditorAccount: account })).toEqual([["FORMAT_ERROR", "creditorAccount"]]);
    }
  });

  it("are compared although something else is wrong", () => {
    expect(faultsIn({ creditorAccount: { iban: DEBTOR }, creditorName: 7 })).toEqual([
      ["FORMAT_ERROR", "creditorName"],
      ["FORMAT_ERROR", "creditorAccount"],
    ]);
  });
});

describe("creditorAgent", () => {
  it.each([
    "COBADEFFXXX",
    "COBADEF",
    "COBADEFFX",
    "cobadeff",
    "COBADEFf",
    "C0BADEFF",
    "COBADE1F",
    "COBADE0F",
    "COBADEFO",
    "COBADEFF\n",
    " COBADEFF",
    "",
    8,
    null,
  ])("B11: %j is refused: it has exactly eight characters", (creditorAgent) => {
    expect(faultsIn({ creditorAgent })).toEqual([["FORMAT_ERROR", "creditorAgent"]]);
  });

  it.each(["COBADEFF", "DRWBRO2X", "BREXPLPW"])("%s is one", (creditorAgent) => {
    const { creditor } = pay(sepa, paymentBody(sepa, { creditorAgent })).order;
    expect(creditor.agent).toBe(creditorAgent);
  });
});
