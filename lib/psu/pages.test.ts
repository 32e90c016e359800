import { describe, expect, it } from "vitest";
import type { FailureReason, ResourceKind, ScaStatus } from "@/lib/domain/authorisation";
import { aspspProfile } from "@/lib/domain/bank-profile";
import type { ConsentStatus } from "@/lib/domain/consents";
import type { BankRefusal } from "@/lib/domain/core-bank";
import { type EndPage, endPageFor, type OwnState, ownStep, type Step, stepFor } from "./pages";
import type { SessionState } from "./session";
import { desk } from "./testing/authorisation";

describe("pages", () => {
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
});

describe("own channel pages", () => {
  it.each<readonly [OwnState, string, string]>([
    ["nobody", "sign-in", "to-sign-in"],
    ["ended", "sign-in-again", "to-sign-in"],
    ["password", "code", "to-sign-in"],
    ["signed-in", "onward", "asked-for"],
  ])("%s: at the sign-in %s, inside %s", (state, signIn, inside) => {
    expect([ownStep(state, "signIn"), ownStep(state, "inside")]).toEqual([signIn, inside]);
  });
});

describe("end pages", () => {
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
});
