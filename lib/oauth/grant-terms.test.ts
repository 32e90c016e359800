import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after as later } from "@/lib/domain/clock";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { type ConsentStatus, consentTransitions } from "@/lib/domain/consent/consent-status";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import {
  type FundsConsentStatus,
  fundsConsentTransitions,
} from "@/lib/domain/funds-confirmation/funds-consent-status";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Payment } from "@/lib/domain/payment/payment";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { type ScaStatus, scaTransitions } from "@/lib/domain/sca/sca-status";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { ana, minutesOn, now, receivedConsent } from "@/lib/postgres/samples";
import { receivedFundsConsent } from "@/lib/postgres/testing-funds";
import { initiation } from "@/lib/postgres/testing-payment-samples";
import { grantTerms, secondsUntil } from "./grant-terms";

type Resource = AccountConsent | FundsConsent | Payment;
type Known = { readonly authorisation: Authorisation; readonly resource: Resource };

/** The terms where one resource is known, and its authorisation is as wanted. */
function termsOf({ authorisation, resource }: Known, at = now, scaStatus: ScaStatus = "finalised") {
  const { bank, ports } = inMemoryBank();
  bank.authorisations.set(authorisation.id, { ...authorisation, scaStatus });
  const kept = { AIS: bank.consents, PIIS: bank.fundsConsents, PIS: bank.payments };
  (kept[authorisation.kind] as Map<string, Resource>).set(resource.id, resource);
  return grantTerms(ports, authorisation.id, at);
}

function consentWith(given: Partial<AccountConsent> = {}): Known {
  const valid = { status: "valid", authorisedAt: now, ...given } as const;
  const { consent: resource, authorisation } = receivedConsent(valid);
  return { authorisation, resource };
}
function fundsWith(given: Partial<FundsConsent> = {}): Known {
  const { consent: resource, authorisation } = receivedFundsConsent({ status: "valid", ...given });
  return { authorisation, resource };
}
function paymentWith(given: Partial<Payment> = {}): Known {
  const { payment, authorisation } = initiation({ psuId: ana, status: "ACCP", ...given }).started;
  return { authorisation, resource: payment };
}

describe("the terms of a grant for an account consent", () => {
  it("name the one resource, its TPP and the end of the consent", async () => {
    const known = consentWith({ recurringIndicator: false });
    expect(await termsOf(known)).toEqual({
      clientId: known.resource.tppId,
      scope: `AIS:${known.resource.id}`,
      endsAt: later(now, 10, "minute"),
      grantEndsAt: later(now, 10, "minute"),
      refreshable: false,
    });
    expect(await termsOf(consentWith())).toMatchObject({ refreshable: true });
  });

  const statuses = Object.keys(consentTransitions) as ConsentStatus[];
  it.each(statuses.filter((status) => status !== "valid"))(
    "O13: there are none for a consent that is %s",
    async (status) => {
      expect(await termsOf(consentWith({ status }))).toBeUndefined();
    },
  );

  it("there are none from the last second on, whatever the store still says", async () => {
    const consent = consentWith({ recurringIndicator: false });
    const end = later(now, 10, "minute");
    expect(await termsOf(consent, later(end, -1, "second"))).toBeDefined();
    expect(await termsOf(consent, new Date(end.getTime() - 999))).toBeUndefined();
    expect(await termsOf(consent, end)).toBeUndefined();
  });
});

describe("the terms of a grant for a confirmation of funds consent", () => {
  it("end 180 days after each use, and the grant long after", async () => {
    const known = fundsWith();
    const terms = await termsOf(known);
    expect(terms).toMatchObject({
      clientId: known.resource.tppId,
      scope: `PIIS:${known.resource.id}`,
      endsAt: later(now, 180, "day"),
      refreshable: true,
    });
    expect(terms?.grantEndsAt.getFullYear()).toBeGreaterThan(2100);
    const used = later(now, 100, "day");
    expect(await termsOf(known, used)).toMatchObject({ endsAt: later(used, 180, "day") });
  });

  it("end with the last day of the card at the latest", async () => {
    const cardExpiryDate = "2026-12-31" as IsoDate;
    const end = new Date("2026-12-31T22:00:00Z");
    const known = fundsWith({ cardExpiryDate });
    expect(await termsOf(known)).toMatchObject({ endsAt: end, grantEndsAt: end });
    expect(await termsOf(known, later(end, -1, "second"))).toBeDefined();
    expect(await termsOf(known, end)).toBeUndefined();
  });

  const statuses = Object.keys(fundsConsentTransitions) as FundsConsentStatus[];
  it.each(statuses.filter((status) => status !== "valid"))(
    "O13: there are none for a consent that is %s",
    async (status) => {
      expect(await termsOf(fundsWith({ status }))).toBeUndefined();
    },
  );
});

describe("the terms of a grant for a payment", () => {
  it("end an hour after its SCA window, and are not refreshed", async () => {
    const known = paymentWith();
    const end = minutesOn(75);
    expect(await termsOf(known)).toEqual({
      clientId: known.resource.tppId,
      scope: `PIS:${known.resource.id}`,
      endsAt: end,
      grantEndsAt: end,
      refreshable: false,
    });
    expect(await termsOf(known, end)).toBeUndefined();
  });

  it("an hour holds any token that a code of the window's last moment is redeemed for", () => {
    const { sca, oauth } = aspspProfile;
    // An interaction, and with it the way to a code, lasts as long again as the window.
    const latest = sca.windowMinutes * 60 + oauth.codeSeconds + oauth.accessTokenSeconds;
    expect(latest).toBeLessThanOrEqual(oauth.paymentTokenMinutes * 60);
  });

  it.each(["account-blocked", "psu-limit", "day-limit"] as const)(
    "there are none when the bank refused it at its authorisation: %s",
    async (reason) => {
      expect(await termsOf(paymentWith({ status: "RJCT", reason }))).toBeUndefined();
    },
  );

  it.each(["no-funds", "creditor-account-closed"] as const)(
    "there are some when its execution failed: %s",
    async (reason) => {
      expect(await termsOf(paymentWith({ status: "RJCT", reason }))).toBeDefined();
    },
  );
});

describe("whatever is authorised", () => {
  const undecided = (Object.keys(scaTransitions) as ScaStatus[]).filter(
    (status) => status !== "finalised",
  );
  it.each(undecided)("there are no terms while the authorisation is %s", async (status) => {
    for (const known of [consentWith(), fundsWith(), paymentWith()]) {
      expect(await termsOf(known, now, status)).toBeUndefined();
    }
  });

  it("there are none without authorisation or resource", async () => {
    const { bank, ports } = inMemoryBank();
    for (const { authorisation } of [consentWith(), fundsWith(), paymentWith()]) {
      expect(await grantTerms(ports, authorisation.id, now)).toBeUndefined();
      bank.authorisations.set(authorisation.id, { ...authorisation, scaStatus: "finalised" });
      expect(await grantTerms(ports, authorisation.id, now)).toBeUndefined();
    }
  });

  it("time left is counted in whole seconds, never too many", () => {
    expect(secondsUntil(new Date(2_999), new Date(1_000))).toBe(1);
  });
});
