import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after as later } from "@/lib/domain/clock";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { type ConsentStatus, consentTransitions } from "@/lib/domain/consent/consent-status";
import { now, receivedConsent } from "@/lib/postgres/samples";
import { type GrantPorts, grantTerms, secondsUntil } from "./grant-terms";

const unused = () => Promise.reject(new Error("not asked here"));

/** Ports that know one consent, and settle nothing. */
function portsWith(consent: AccountConsent | undefined): GrantPorts {
  return {
    profile: aspspProfile,
    consents: {
      insert: unused,
      findOfTpp: unused,
      find: async () => consent,
      findByAuthorisation: async () => consent,
      end: async () => false,
    },
    authorisations: {
      find: unused,
      findByResource: unused,
      redirectUrisOf: unused,
      takeAttempt: unused,
      authenticate: unused,
      startChallenge: unused,
      finaliseAccountConsent: unused,
      fail: async () => false,
    },
  };
}

const consentWith = (given: Partial<AccountConsent>) =>
  receivedConsent({ status: "valid", authorisedAt: now, ...given }).consent;
const termsOf = (consent: AccountConsent | undefined, at = now) =>
  grantTerms(portsWith(consent), receivedConsent().authorisation.id, at);

describe("the terms of a grant", () => {
  it("name the one resource, its TPP and the end of the consent", async () => {
    const consent = consentWith({ recurringIndicator: false });
    expect(await termsOf(consent)).toEqual({
      clientId: consent.tppId,
      scope: `AIS:${consent.id}`,
      endsAt: later(now, 10, "minute"),
      refreshable: false,
    });
  });

  const statuses = Object.keys(consentTransitions) as ConsentStatus[];
  it.each(statuses.filter((status) => status !== "valid"))(
    "O13: there are none for a consent that is %s",
    async (status) => {
      expect(await termsOf(consentWith({ status }))).toBeUndefined();
    },
  );

  it("there are none without a consent", async () => {
    expect(await termsOf(undefined)).toBeUndefined();
  });

  it("there are none from the last second on, whatever the store still says", async () => {
    const consent = consentWith({ recurringIndicator: false });
    const end = later(now, 10, "minute");
    expect(await termsOf(consent, later(end, -1, "second"))).toBeDefined();
    expect(await termsOf(consent, new Date(end.getTime() - 999))).toBeUndefined();
    expect(await termsOf(consent, end)).toBeUndefined();
  });

  it("are counted in whole seconds, never too many", () => {
    expect(secondsUntil(new Date(2_999), new Date(1_000))).toBe(1);
  });
});
