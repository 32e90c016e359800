import { describe, expect, it } from "vitest";
import type { Authorisation, ResourceKind, ScaStatus } from "@/lib/domain/authorisation";
import type { ConsentStatus } from "@/lib/domain/consents";
import { later } from "@/lib/domain/testing/samples";
import { aspspProfile } from "@/lib/testing-profile";
import { endPageFor, type Step, stepFor } from "./pages";
import type { SessionState } from "./session";
import { bankWithConsent } from "./testing/authorisation";

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

describe("the page of a failed authorisation", () => {
  async function endOf(changes: Partial<Authorisation>, status?: ConsentStatus, minutes = 0) {
    const authorisation = (await bankWithConsent()).authorisation();
    return endPageFor({
      authorisation: { ...authorisation, scaStatus: "failed", ...changes },
      consent: status && { status },
      refusal: undefined,
      profile: aspspProfile,
      now: later(minutes, authorisation.createdAt),
    });
  }

  it.each([
    ["cancelled", "refused"],
    ["too-many-tries", "too-many-tries"],
    ["psu-blocked", "blocked"],
    ["window-over", "expired"],
    ["withdrawn-by-tpp", "withdrawn"],
    ["not-own-account", "not-your-account"],
    ["account-gone", "account-gone"],
    ["last-day-over", "expired"],
    ["tpp-blocked", "tpp-blocked"],
    ["opted-out", "opted-out"],
    ["customer-blocked", "customer-blocked"],
  ] as const)("%s: the page %s", async (failedBecause, page) => {
    expect(await endOf({ failedBecause })).toBe(page);
  });

  it.each([
    ["the TPP has deleted the consent", "terminatedByTpp", 0, 20, "withdrawn"],
    ["five failed attempts", "rejected", 5, 1, "too-many-tries"],
    ["the window of 15 minutes is over", "rejected", 4, 15, "expired"],
    ["anything else", "rejected", 4, 14, "refused"],
  ] as const)(
    "without a reason in its row, %s (%s, %d attempts, after %d minutes): the page %s",
    async (_what, status, failedAttempts, minutes, page) => {
      expect(await endOf({ failedAttempts }, status, minutes)).toBe(page);
    },
  );
});
