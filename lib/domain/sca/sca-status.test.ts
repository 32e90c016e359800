import { describe, expect, it } from "vitest";
import { isDecided, mayMove, type ScaStatus, scaTransitions, statesBefore } from "./sca-status";

const statuses = Object.keys(scaTransitions) as ScaStatus[];

describe("states of an authorisation", () => {
  it.each([
    ["received", ["psuAuthenticated", "failed"]],
    ["psuAuthenticated", ["started", "failed"]],
    ["started", ["started", "finalised", "failed"]],
    ["finalised", []],
    ["failed", []],
  ] as const)("%s can move to %j and nowhere else", (from, to) => {
    expect(statuses.filter((status) => mayMove(from, status)).sort()).toEqual([...to].sort());
  });

  it("finalised and failed are decided", () => {
    expect(statuses.filter(isDecided)).toEqual(["finalised", "failed"]);
  });

  it("finalised is reached from started only", () => {
    expect(statesBefore("finalised")).toEqual(["started"]);
  });
});
