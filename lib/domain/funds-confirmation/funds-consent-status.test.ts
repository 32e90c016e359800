import { describe, expect, it } from "vitest";
import {
  type FundsConsentStatus,
  fundsConsentIsFinal,
  fundsConsentMayBecome,
  fundsConsentTransitions,
} from "./funds-consent-status";

const statuses = Object.keys(fundsConsentTransitions) as FundsConsentStatus[];

describe("states of a confirmation of funds consent", () => {
  it.each([
    ["received", ["valid", "rejected", "terminatedByTpp"]],
    ["valid", ["expired", "revokedByPsu", "terminatedByTpp"]],
    ["rejected", []],
    ["partiallyAuthorised", []],
    ["expired", []],
    ["revokedByPsu", []],
    ["terminatedByTpp", []],
  ] as const)("%s can become %j and nothing else", (from, to) => {
    expect(statuses.filter((status) => fundsConsentMayBecome(from, status)).sort()).toEqual(
      [...to].sort(),
    );
  });

  it("partiallyAuthorised is never entered: nobody has to authorise twice", () => {
    expect(statuses.some((from) => fundsConsentMayBecome(from, "partiallyAuthorised"))).toBe(false);
  });

  it("a consent that has ended stays as it ended", () => {
    expect(statuses.filter((status) => !fundsConsentIsFinal(status))).toEqual([
      "received",
      "valid",
    ]);
  });
});
