import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  basesOf,
  faultsOf,
  inNameOf,
  outcomesFor,
  REASON_CHARACTERS_MAX,
  requestOutcomes,
  type TppBlockRequest,
  type TppBlockTerms,
  tppActions,
  whyUndecided,
} from "./tpp-blocks";
import type { TppId } from "./values";

const now = new Date("2026-11-20T10:00:00Z");
const later = new Date("2026-11-20T10:00:01Z");

const terms: TppBlockTerms = {
  action: "block",
  tppId: "PSDRO-NBR-1" as TppId,
  basis: "unauthorised-access",
  reason: "read accounts\nwithout consent",
};
const request: TppBlockRequest = {
  ...terms,
  id: "1",
  requestedBy: "maria",
  requestedAt: now,
};

describe("PSD2 art. 68(5): what is wrong with a request to block a TPP, or to let it in again", () => {
  it.each<[string, Partial<TppBlockTerms>, readonly string[]]>([
    ["nothing", {}, []],
    ["nothing of one with an end", { until: later }, []],
    ["nothing of an end of it", { action: "unblock", basis: "reasons-over" }, []],
    ["a ground of the other action", { basis: "reasons-over" }, ["basis"]],
    ["no word of a reason", { reason: " \n" }, ["reason"]],
    ["a reason too long", { reason: "x".repeat(REASON_CHARACTERS_MAX + 1) }, ["reason"]],
    ["a reason with a control character", { reason: "a\u0000b" }, ["reason"]],
    ["an end that is not after now", { until: now }, ["until"]],
    ["an end that is no time", { until: new Date(Number.NaN) }, ["until"]],
    [
      "an end of what ends one",
      { action: "unblock", basis: "reasons-over", until: later },
      ["until"],
    ],
    [
      "an exception without its reason",
      { secrecy: { ground: "law", reason: "" } },
      ["secrecyReason"],
    ],
  ])("%s", (_what, given, faults) => {
    expect(faultsOf({ ...terms, ...given }, now)).toEqual(faults);
  });

  it("each of the two has grounds of its own, and none is left over", () => {
    for (const action of tppActions) expect(basesOf(action).length).toBeGreaterThan(2);
  });
});

describe("E1: four eyes", () => {
  const by = fc.constantFrom("maria", "ion", "api:fraud-desk");
  const outcome = fc.constantFrom(...requestOutcomes);

  it("nobody approves or refuses a request of their own, and nobody withdraws another's", () => {
    fc.assert(
      fc.property(by, by, outcome, (requestedBy, decider, wanted) => {
        const why = whyUndecided(
          { ...request, requestedBy },
          { id: "1", outcome: wanted, by: decider, at: now },
        );
        const isOwn = requestedBy === decider;
        expect(why === undefined).toBe(isOwn === (wanted === "withdrawn"));
      }),
    );
  });

  it("nobody decides what they have requested through a client of the bank API", () => {
    const requestedBy = `${inNameOf("maria")}portal`;
    for (const outcome of requestOutcomes) {
      const why = (by: string) =>
        whyUndecided({ ...request, requestedBy }, { id: "1", outcome, by, at: now });
      const isWithdrawn = outcome === "withdrawn";
      expect(why("maria")).toBe(isWithdrawn ? "not-own-request" : "own-request");
      expect(why("mari")).toBe(isWithdrawn ? "not-own-request" : undefined);
    }
  });

  it("who has requested it may only withdraw it, and another person decides it, approving it while it would not be over", () => {
    const outcomes = (by: string, given: Partial<TppBlockRequest> = {}) =>
      outcomesFor({ ...request, ...given }, by, now);
    expect(outcomes("maria")).toEqual(["withdrawn"]);
    expect(outcomes("ion")).toEqual(["approved", "refused"]);
    expect(outcomes("ion", { until: now })).toEqual(["refused"]);
    const requestedBy = `${inNameOf("maria")}portal`;
    expect(outcomes("maria", { requestedBy })).toEqual([]);
    expect(outcomes("ion", { requestedBy })).toEqual(["approved", "refused"]);
    const decision = { outcome: "refused", by: "ion", at: now } as const;
    expect(outcomes("maria", { decision })).toEqual([]);
  });

  it("what is decided stays so, and a block that would be over is not approved", () => {
    const decision = { id: "1", outcome: "approved", by: "ion", at: now } as const;
    expect(whyUndecided({ ...request, decision }, decision)).toBe("decided-already");
    expect(whyUndecided(undefined, decision)).toBe("unknown");
    expect(whyUndecided({ ...request, until: now }, decision)).toBe("over-already");
    const refusal = { ...decision, outcome: "refused" } as const;
    expect(whyUndecided({ ...request, until: now }, refusal)).toBeUndefined();
  });
});
