import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Rejection } from "@/lib/domain/rejection";
import type { Circumstances } from "../endpoint";
import { parse } from "../parse";
import { accountConsentRequest } from "./account-consent-request";

const circumstances: Circumstances = {
  today: "2026-11-20" as IsoDate,
  profile: aspspProfile,
  sandbox: true,
  cursorSecret: "secret",
  redirectDomains: undefined,
};
const IBAN = "RO49AAAA1B31007593840000";
const OTHER = "DE89370400440532013000";
const sound = {
  access: { balances: [], transactions: [] },
  recurringIndicator: true,
  validUntil: "2027-05-19",
  frequencyPerDay: 4,
  combinedServiceIndicator: false,
};
const ask = (changed: Record<string, unknown>) =>
  parse("body", accountConsentRequest, { ...sound, ...changed }, circumstances);
const rights = (access: unknown) => ask({ access }).access;
const faults = (body: unknown) => {
  try {
    parse("body", accountConsentRequest, body, circumstances);
  } catch (error) {
    return (error as Rejection).faults.map(({ code, path }) => [code, path]);
  }
  return [];
};
const faultsOf = (changed: Record<string, unknown>) => faults({ ...sound, ...changed });

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

describe("the other fields", () => {
  it.each([
    ["recurringIndicator", "true", "FORMAT_ERROR"],
    ["validUntil", "2027-05-20", "FORMAT_ERROR"],
    ["validUntil", "2026-11-19", "FORMAT_ERROR"],
    ["validUntil", "2026-13-01", "FORMAT_ERROR"],
    ["validUntil", 20_270_519, "FORMAT_ERROR"],
    ["frequencyPerDay", 0, "FORMAT_ERROR"],
    ["frequencyPerDay", 5, "FORMAT_ERROR"],
    ["frequencyPerDay", 1.5, "FORMAT_ERROR"],
    ["frequencyPerDay", "4", "FORMAT_ERROR"],
    ["combinedServiceIndicator", true, "SESSIONS_NOT_SUPPORTED"],
    ["combinedServiceIndicator", "false", "FORMAT_ERROR"],
    ["surprise", 1, "FORMAT_ERROR"],
  ])("%s %j is refused: %s", (name, value, code) => {
    expect(faultsOf({ [name]: value })).toEqual([[code, name]]);
  });

  it("a one-off consent has frequencyPerDay 1 and ends today", () => {
    const oneOff = { recurringIndicator: false, validUntil: "2026-11-20", frequencyPerDay: 1 };
    expect(faultsOf(oneOff)).toEqual([]);
    expect(faultsOf({ ...oneOff, frequencyPerDay: 2 })).toEqual([
      ["FORMAT_ERROR", "frequencyPerDay"],
    ]);
    expect(faultsOf({ ...oneOff, validUntil: "2026-11-21" })).toEqual([
      ["FORMAT_ERROR", "validUntil"],
    ]);
  });

  it("every fault is told in one answer, an entry each", () => {
    const body = {
      access: { accounts: [{ iban: "x" }, { bban: "y" }] },
      recurringIndicator: false,
      validUntil: "2020-01-01",
      frequencyPerDay: 4,
      combinedServiceIndicator: true,
    };
    expect(faults(body).sort()).toEqual([
      ["FORMAT_ERROR", "access.accounts[0].iban"],
      ["FORMAT_ERROR", "access.accounts[1].bban"],
      ["FORMAT_ERROR", "access.accounts[1].iban"],
      ["FORMAT_ERROR", "frequencyPerDay"],
      ["FORMAT_ERROR", "validUntil"],
      ["SESSIONS_NOT_SUPPORTED", "combinedServiceIndicator"],
    ]);
  });

  it("every field is required, and a body too", () => {
    expect(
      faults({})
        .map(([, path]) => path)
        .sort(),
    ).toEqual(Object.keys(sound).sort());
    expect(faults(undefined)).toEqual([["FORMAT_ERROR", undefined]]);
    expect(faults([])).toEqual([["FORMAT_ERROR", undefined]]);
  });
});
