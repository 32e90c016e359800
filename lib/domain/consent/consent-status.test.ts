import { describe, expect, it } from "vitest";
import { type ConsentStatus, consentTransitions, isFinal, mayBecome } from "./consent-status";

const statuses = Object.keys(consentTransitions) as ConsentStatus[];

describe("states of an account information consent", () => {
  it.each([
    ["received", ["valid", "rejected", "terminatedByTpp"]],
    ["valid", ["expired", "revokedByPsu", "terminatedByTpp"]],
    ["rejected", []],
    ["expired", []],
    ["revokedByPsu", []],
    ["terminatedByTpp", []],
  ] as const)("%s can become %j and nothing else", (from, to) => {
    expect(statuses.filter((status) => mayBecome(from, status)).sort()).toEqual([...to].sort());
  });

  it("a consent that has ended stays as it ended", () => {
    expect(statuses.filter(isFinal)).toEqual([
      "rejected",
      "expired",
      "revokedByPsu",
      "terminatedByTpp",
    ]);
  });
});
