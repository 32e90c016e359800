import { describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consents";
import { granted, receivedConsent } from "@/lib/postgres/testing";
import {
  ask,
  faults,
  faultsOf,
  IBAN,
  OTHER,
  rights,
  sentBody,
  validConsent,
} from "../testing/requests";
import { links } from "../testing/tpp";
import {
  accountConsentCreated,
  accountConsentRead,
  authorisationRead,
  authorisationsRead,
  consentStatusRead,
} from "./consents";

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

  it("additionalInformation that is empty and alone is refused", () => {
    const refused = [["FORMAT_ERROR", "access.additionalInformation"]];
    expect(faultsOf({ access: { additionalInformation: {} } })).toEqual(refused);
    const additionalInformation = {};
    expect(faultsOf({ access: { balances: [], additionalInformation } })).toEqual([]);
    expect(faultsOf({ access: { allPsd2: "allAccounts", additionalInformation } })).toEqual([]);
  });

  it("the access is kept with its IBANs in capitals, as the standard has them", () => {
    const kept = [{ iban: IBAN, currency: "RON" }];
    const asked = [{ iban: IBAN.toLowerCase(), currency: "RON" }];
    const access = { balances: asked, additionalInformation: { ownerName: asked } };
    expect(ask({ access })).toMatchObject({
      requestedAccess: { balances: kept, additionalInformation: { ownerName: kept } },
    });
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

  it("every fault is reported in one answer, an entry each", () => {
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
    ).toEqual(Object.keys(validConsent).sort());
    expect(faults(undefined)).toEqual([["FORMAT_ERROR", undefined]]);
    expect(faults([])).toEqual([["FORMAT_ERROR", undefined]]);
  });
});

describe("access", () => {
  const inEuro = { iban: IBAN, currency: "EUR" };

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

    it("owner name of one sub-account, where another list names all of its IBAN", () => {
      const access = { accounts: [{ iban: IBAN }], additionalInformation: { ownerName: [inEuro] } };
      expect(rights(access)).toMatchObject({
        named: [
          { reference: { iban: IBAN }, rights: { ownerName: false } },
          { reference: inEuro, rights: { ownerName: true } },
        ],
      });
    });

    it("B11: an IBAN in small letters is the same IBAN", () => {
      expect(rights({ accounts: [{ iban: IBAN.toLowerCase() }] })).toMatchObject({
        named: [{ reference: { iban: IBAN } }],
      });
    });

    it("trusted beneficiaries are ignored", () => {
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
      [
        "owner name of all sub-accounts where one is named",
        { accounts: [inEuro], additionalInformation: { ownerName: [{ iban: IBAN }] } },
      ],
      [
        "owner name of another sub-account than the one that is named",
        {
          accounts: [inEuro],
          additionalInformation: { ownerName: [{ ...inEuro, currency: "RON" }] },
        },
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
});

describe("account consent", () => {
  const { consent, authorisation } = receivedConsent();
  const self = `${links.aisp}/consents/${consent.id}`;
  const read = (given: Partial<AccountConsent>) =>
    sentBody(accountConsentRead({ ...consent, ...given }, { links }));

  describe("the answer to a new consent", () => {
    it("has its status, its id, the four links and the headers of the redirect approach", () => {
      const answer = accountConsentCreated({ consent, shortened: false }, { links });
      expect(answer).toMatchObject({
        status: 201,
        headers: { location: self, "aspsp-sca-approach": "REDIRECT" },
      });
      expect(sentBody(answer)).toEqual({
        consentStatus: "received",
        consentId: consent.id,
        _links: {
          scaOAuth: { href: links.scaOAuth },
          self: { href: self },
          status: { href: `${self}/status` },
          scaStatus: { href: `${self}/authorisations/${consent.authorisationId}` },
        },
      });
    });

    it("warns when validUntil 9999-12-31 was shortened", () => {
      const answer = accountConsentCreated({ consent, shortened: true }, { links });
      expect(sentBody(answer)).toMatchObject({
        tppMessages: [{ category: "WARNING", path: "validUntil" }],
      });
    });
  });

  describe("the consent object", () => {
    it("has the access as it was asked for, word for word, until the PSU has chosen", () => {
      for (const name of ["allPSD2", "allPsd2"]) {
        const requestedAccess = { [name]: "allAccounts" };
        expect(read({ requestedAccess })).toEqual({
          access: requestedAccess,
          recurringIndicator: true,
          validUntil: "2027-05-19",
          frequencyPerDay: 4,
          lastActionDate: "2026-11-20",
          consentStatus: "received",
        });
      }
    });

    it("names what the PSU has granted of each account once it is valid, and links the accounts", () => {
      const reference = { iban: granted().iban, currency: "RON" };
      expect(read({ status: "valid", grantedAccounts: [granted()] })).toMatchObject({
        access: {
          accounts: [reference],
          balances: [reference],
          additionalInformation: { ownerName: [reference] },
        },
        _links: { account: { href: `${links.aisp}/accounts` } },
      });
      const { rights, ...bare } = granted();
      const nothing = { balances: false, transactions: false, ownerName: false };
      expect(
        read({ status: "valid", grantedAccounts: [{ ...bare, rights: nothing }] }),
      ).toMatchObject({ access: { accounts: [reference] } });
      expect(rights.transactions).toBe(false);
    });

    it("leads to no accounts when it has ended", () => {
      for (const status of ["expired", "terminatedByTpp", "revokedByPsu"] as const) {
        const ended = read({ status, grantedAccounts: [granted()] });
        expect(ended).toMatchObject({ consentStatus: status });
        expect(ended).not.toHaveProperty("_links");
      }
    });
  });

  describe("status and authorisations", () => {
    it("have only their own fields, and never the PSU's name", () => {
      expect(sentBody(consentStatusRead(consent))).toEqual({ consentStatus: "received" });
      expect(sentBody(authorisationsRead(consent))).toEqual({
        authorisationIds: [consent.authorisationId],
      });
      expect(sentBody(authorisationRead(authorisation))).toEqual({ scaStatus: "received" });
    });
  });
});
