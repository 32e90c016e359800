import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { ConsentStatus } from "@/lib/domain/consent/consent-status";
import type { BankRefusal } from "@/lib/domain/payment/bank-refusal";
import type { FailureReason } from "@/lib/domain/sca/authorisation";
import { type EndPage, endPageFor } from "./end-pages";
import { desk } from "./testing/desk";

async function failed(failedBecause?: FailureReason) {
  const authorisation = (await desk()).authorisation();
  const { createdAt: now } = authorisation;
  const because = failedBecause === undefined ? {} : { failedBecause };
  return {
    authorisation: { ...authorisation, scaStatus: "failed" as const, ...because },
    consent: undefined,
    refusal: undefined,
    profile: aspspProfile,
    now,
  };
}

describe("why a failed authorisation has ended", () => {
  const pages: Readonly<Record<FailureReason, EndPage>> = {
    cancelled: "refused",
    "too-many-tries": "too-many-tries",
    "psu-blocked": "blocked",
    "window-over": "expired",
    "withdrawn-by-tpp": "withdrawn",
    "not-own-account": "not-your-account",
    "account-gone": "account-gone",
    "tpp-blocked": "tpp-blocked",
  };
  it.each(Object.entries(pages))("%s: the page %s", async (because, page) => {
    expect(endPageFor(await failed(because as FailureReason))).toBe(page);
  });
});

describe("why the bank refused what its PSU has confirmed", () => {
  const pages: Readonly<Record<BankRefusal, EndPage>> = {
    "account-blocked": "account-blocked",
    "psu-limit": "above-your-limit",
    "day-limit": "above-day-limit",
  };
  it.each(Object.entries(pages))("%s: the page %s", async (refusal, page) => {
    expect(endPageFor({ ...(await failed()), refusal: refusal as BankRefusal })).toBe(page);
  });
});

describe("an authorisation that failed before reasons were kept", () => {
  async function ended(status: ConsentStatus, failedAttempts: number, minutes: number) {
    const { authorisation, now, ...rest } = await failed();
    return endPageFor({
      ...rest,
      authorisation: { ...authorisation, failedAttempts },
      consent: { status },
      now: new Date(now.getTime() + minutes * 60_000),
    });
  }
  it("the TPP has deleted the consent: withdrawn", async () => {
    expect(await ended("terminatedByTpp", 0, 20)).toBe("withdrawn");
  });
  it("five failed attempts: too many tries", async () => {
    expect(await ended("rejected", 5, 1)).toBe("too-many-tries");
  });
  it("the window of 15 minutes is over: expired", async () => {
    expect(await ended("rejected", 4, 15)).toBe("expired");
  });
  it("anything else: refused", async () => {
    expect(await ended("rejected", 4, 14)).toBe("refused");
  });
});
