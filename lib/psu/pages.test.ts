import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { ConsentStatus } from "@/lib/domain/consent/consent-status";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";
import { endPageFor, type Step, stepFor } from "./pages";
import type { SessionState } from "./session";
import { desk } from "./testing/desk";

const sessions: readonly SessionState[] = ["none", "ended", "another-psu", "own"];

describe("the page that fits scaStatus and session of an account consent", () => {
  const wanted: Readonly<Record<ScaStatus, readonly Step[]>> = {
    received: ["login", "login", "login", "login"],
    psuAuthenticated: ["login-again", "login-again", "not-yours", "accounts"],
    started: ["login-again", "login-again", "not-yours", "summary"],
    finalised: ["already-confirmed", "continue", "already-confirmed", "continue"],
    failed: ["ended", "ended", "ended", "ended"],
  };
  const cases = (Object.keys(wanted) as ScaStatus[]).flatMap((scaStatus) =>
    sessions.map((session, at) => ({ scaStatus, session, step: wanted[scaStatus][at] })),
  );

  it.each(cases)("$scaStatus, session $session: $step", ({ scaStatus, session, step }) => {
    expect(stepFor({ kind: "AIS", scaStatus, session })).toBe(step);
  });

  it.each(["PIS", "PIIS"] as const)("%s has no pages, whatever its state", (kind) => {
    for (const { scaStatus, session } of cases) {
      expect(stepFor({ kind, scaStatus, session })).toBe("unknown");
    }
  });

  it("who has chosen may see the accounts again, and nobody else may", () => {
    const again = "accounts" as const;
    const steps = cases.map(({ scaStatus, session }) =>
      stepFor({ kind: "AIS", scaStatus, session, again }),
    );
    const changed = cases.filter(({ step }, at) => steps[at] !== step);
    expect(changed).toEqual([{ scaStatus: "started", session: "own", step: "summary" }]);
  });
});

describe("why a failed authorisation has ended", () => {
  async function ended(status: ConsentStatus, failedAttempts: number, minutes: number) {
    const { authorisation } = await desk();
    const now = new Date(authorisation().createdAt.getTime() + minutes * 60_000);
    const failed = { ...authorisation(), scaStatus: "failed" as const, failedAttempts };
    return endPageFor({ authorisation: failed, consent: { status }, profile: aspspProfile, now });
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
