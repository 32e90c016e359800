import { describe, expect, it } from "vitest";
import { ask, faultsOf, IBAN, OTHER, rights } from "../testing/consent-request";

describe("the three consent models are all accepted", () => {
  it.each([
    ["accounts only", {}, false, false],
    ["balances", { balances: [] }, true, false],
    ["transactions", { transactions: [] }, false, true],
    ["all", { accounts: [], balances: [], transactions: [] }, true, true],
  ])("bank offered: %s", (_, access, balances, transactions) => {
    expect(rights(access)).toEqual({
      model: "bankOffered",
      rights: { balances, transactions, ownerName: false },
      named: [],
    });
  });

  it("bank offered with owner name", () => {
    const access = { balances: [], additionalInformation: { ownerName: [] } };
    expect(rights(access)).toMatchObject({ rights: { ownerName: true } });
  });

  it.each([
    ["availableAccounts", "allAccounts", false, false, false],
    ["availableAccounts", "allAccountsWithOwnerName", false, false, true],
    ["availableAccountsWithBalance", "allAccounts", true, false, false],
    ["availableAccountsWithBalance", "allAccountsWithOwnerName", true, false, true],
    ["allPSD2", "allAccounts", true, true, false],
    ["allPSD2", "allAccountsWithOwnerName", true, true, true],
    ["allPsd2", "allAccounts", true, true, false],
    ["allPsd2", "allAccountsWithOwnerName", true, true, true],
  ])("global: %s %s", (name, value, balances, transactions, ownerName) => {
    const asked = { model: "global", rights: { balances, transactions, ownerName }, named: [] };
    expect(rights({ [name]: value })).toEqual(asked);
    expect(ask({ access: { [name]: value } }).requestedAccess).toEqual({ [name]: value });
  });

  it("dedicated: rights for each named account, balances or transactions imply the account", () => {
    const access = {
      accounts: [{ iban: IBAN }],
      balances: [{ iban: IBAN }, { iban: OTHER, currency: "EUR" }],
      additionalInformation: { ownerName: [{ iban: IBAN }] },
    };
    expect(rights(access)).toEqual({
      model: "dedicated",
      rights: { balances: true, transactions: false, ownerName: true },
      named: [
        {
          reference: { iban: IBAN },
          rights: { balances: true, transactions: false, ownerName: true },
        },
        {
          reference: { iban: OTHER, currency: "EUR" },
          rights: { balances: true, transactions: false, ownerName: false },
        },
      ],
    });
  });

  it("B11: an IBAN in small letters is the same IBAN", () => {
    expect(rights({ accounts: [{ iban: IBAN.toLowerCase() }] })).toMatchObject({
      named: [{ reference: { iban: IBAN } }],
    });
  });

  it("trusted beneficiaries are dropped without a word", () => {
    const access = { balances: [], additionalInformation: { trustedBeneficiaries: [] } };
    const { requestedAccess } = ask({ access });
    expect(requestedAccess).toEqual({ balances: [], additionalInformation: {} });
  });
});

describe("access that fits no model is refused", () => {
  it.each([
    ["lists empty and not", { accounts: [{ iban: IBAN }], balances: [] }],
    ["two global attributes", { allPsd2: "allAccounts", availableAccounts: "allAccounts" }],
    ["a global attribute beside lists", { allPsd2: "allAccounts", balances: [] }],
    ["owner name alone", { additionalInformation: { ownerName: [] } }],
    [
      "owner name of an account that is not named",
      { accounts: [{ iban: IBAN }], additionalInformation: { ownerName: [{ iban: OTHER }] } },
    ],
    ["restrictedTo with named accounts", { accounts: [{ iban: IBAN }], restrictedTo: ["CACC"] }],
    ["an unknown attribute", { balance: [] }],
    ["another value", { allPsd2: "all" }],
    ["no object", "allAccounts"],
  ])("%s: FORMAT_ERROR", (_, access) => {
    const found = faultsOf({ access });
    expect(found.length).toBeGreaterThan(0);
    for (const [code, path] of found) {
      expect(code).toBe("FORMAT_ERROR");
      expect(path).toMatch(/^access/);
    }
  });

  it("savings or loans only: SERVICE_INVALID", () => {
    expect(faultsOf({ access: { balances: [], restrictedTo: ["SVGS", "LOAN"] } })).toEqual([
      ["SERVICE_INVALID", "access.restrictedTo"],
    ]);
  });

  it.each(["bban", "pan", "maskedPan", "msisdn", "other"])(
    "account references by %s: no",
    (name) => {
      expect(faultsOf({ access: { accounts: [{ [name]: "x" }] } })).toContainEqual([
        "FORMAT_ERROR",
        `access.accounts[0].${name}`,
      ]);
    },
  );

  it.each([
    "RO49AAAA1B31007593840001",
    "RO49AAAA1B3100759384000",
    "XX49AAAA1B31007593840000",
    "",
    1,
  ])("B11: %j is no IBAN", (iban) => {
    expect(faultsOf({ access: { accounts: [{ iban }] } })).toEqual([
      ["FORMAT_ERROR", "access.accounts[0].iban"],
    ]);
  });
});
