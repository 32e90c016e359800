import { describe, expect, it } from "vitest";
import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";
import { type Step, stepFor } from "./pages";
import type { SessionState } from "./session";

const sessions: readonly SessionState[] = ["none", "ended", "another-psu", "own"];
type Wanted = Readonly<Record<ScaStatus, readonly Step[]>>;

/** The account of a payment or a funds consent is fixed: there is nothing to choose. */
const confirmedOn = (page: Step): Wanted => ({
  received: ["login", "login", "login", "login"],
  psuAuthenticated: ["login-again", "login-again", "not-yours", page],
  started: ["login-again", "login-again", "not-yours", page],
  finalised: ["already-confirmed", "continue", "already-confirmed", "continue"],
  failed: ["ended", "ended", "ended", "ended"],
});
const wanted: Readonly<Record<ResourceKind, Wanted>> = {
  AIS: {
    ...confirmedOn("summary"),
    psuAuthenticated: ["login-again", "login-again", "not-yours", "accounts"],
  },
  PIS: confirmedOn("payment"),
  PIIS: confirmedOn("funds"),
};
const cases = (Object.keys(wanted) as ResourceKind[]).flatMap((kind) =>
  (Object.keys(wanted[kind]) as ScaStatus[]).flatMap((scaStatus) =>
    sessions.map((session, at) => ({
      state: { kind, scaStatus, session },
      step: wanted[kind][scaStatus][at],
    })),
  ),
);

describe("the page that fits kind, scaStatus and session", () => {
  it.each(cases)(
    "$state.kind $state.scaStatus, session $state.session: $step",
    ({ state, step }) => {
      expect(stepFor(state)).toBe(step);
    },
  );

  it("who has chosen may see the accounts of a consent again, and nobody else may", () => {
    const again = "accounts" as const;
    const changed = cases.filter(({ state, step }) => stepFor({ ...state, again }) !== step);
    expect(changed).toEqual([
      { state: { kind: "AIS", scaStatus: "started", session: "own" }, step: "summary" },
    ]);
  });

  it("what the bank has refused leads on nowhere, and only its PSU sees why", () => {
    const changed = cases.flatMap(({ state, step }) => {
      const now = stepFor({ ...state, refused: true });
      return now === step ? [] : [`${state.kind} ${state.session} ${step}: ${now}`];
    });
    expect(changed.filter((line) => line.startsWith("PIS"))).toEqual([
      "PIS ended continue: ended",
      "PIS own continue: ended",
    ]);
  });
});
