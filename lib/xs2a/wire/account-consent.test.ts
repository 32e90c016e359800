import { describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { granted, receivedConsent } from "@/lib/postgres/samples";
import { sentBody } from "../testing/answer";
import {
  accountConsentCreated,
  accountConsentRead,
  authorisationRead,
  authorisationsRead,
  consentStatusRead,
} from "./account-consent";

const links = {
  aisp: "https://bank.example/open-banking/v3.1/aisp/v1",
  pisp: "https://bank.example/open-banking/v3.1/pisp/v1",
  cbpii: "https://bank.example/open-banking/v3.1/cbpii",
  scaOAuth: "https://bank.example/.well-known/oauth-authorization-server",
};
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
  it("say no more than they are asked, and never the PSU's name", () => {
    expect(sentBody(consentStatusRead(consent))).toEqual({ consentStatus: "received" });
    expect(sentBody(authorisationsRead(consent))).toEqual({
      authorisationIds: [consent.authorisationId],
    });
    expect(sentBody(authorisationRead(authorisation))).toEqual({ scaStatus: "received" });
  });
});
