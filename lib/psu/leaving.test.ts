import { describe, expect, it } from "vitest";
import { atSummary, refusedAt, there } from "./testing/at-summary";
import { browser } from "./testing/browser";
import { desk, uid } from "./testing/desk";

const credentials = (userId: string, password = "wrong") =>
  [
    ["userId", userId],
    ["password", password],
  ] as const;

describe("the way back", () => {
  it.each([
    ["login", async (psu: ReturnType<typeof browser>) => psu.look()],
    ["accounts", async (psu: ReturnType<typeof browser>) => psu.signIn()],
    [
      "summary",
      async (psu: ReturnType<typeof browser>) => {
        await psu.signIn();
        return psu.choose("current");
      },
    ],
  ])("P10: Cancel at %s rejects the consent and leads to the Nok URI", async (page, reach) => {
    const ours = await desk({ nok: "https://tpp.example/nok" });
    const psu = browser(ours);
    expect(await reach(psu)).toMatchObject({ page });
    const answer = await psu.send("cancel");
    expect(answer.status).toBe(303);
    expect(there(answer)).toBe(refusedAt("/nok"));
    expect(ours.bank.consents.get(ours.consent.id)?.status).toBe("rejected");
    expect(ours.calls).toEqual([`refuse ${uid}`]);
  });

  it("Cancel without Nok URI leads to the redirect URI", async () => {
    const psu = browser(await desk());
    await psu.look();
    expect(there(await psu.send("cancel"))).toBe(refusedAt());
  });

  it("a Cancel from a page left open leads back even when the interaction is gone", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.look();
    ours.open.clear();
    expect(there(await psu.send("cancel"))).toBe(`/authorise/${uid}`);
    expect(ours.authorisation().scaStatus).toBe("received");
    ours.wait(16);
    expect(there(await psu.send("cancel"))).toBe(refusedAt());
  });

  it("but not with the ticket of another interaction", async () => {
    const ours = await desk();
    const psu = browser(ours);
    const view = await psu.look();
    ours.open.clear();
    ours.wait(16);
    const other = browser(ours, "another");
    const ticket = "ticket" in view ? view.ticket : "none";
    expect(there(await other.send("cancel", [["ticket", ticket]]))).toBe("/authorise/another");
  });

  it("a second click on Cancel leads to the same place and changes nothing more", async () => {
    const ours = await desk();
    const psu = browser(ours);
    await psu.look();
    const both = [await psu.send("cancel"), await psu.send("cancel")];
    expect(both.map(there)).toEqual([refusedAt(), refusedAt()]);
    expect(ours.calls).toHaveLength(1);
  });

  it("4(3)(b): the fifth failure of a user ID blocks it, and its page leads back; the four before ask again", async () => {
    const { ours, psu } = await atSummary({ nok: "https://tpp.example/nok" });
    const wrong = [["code", "000000"]] as const;
    for (const left of [4, 3, 2, 1]) {
      await psu.send("confirm", wrong);
      expect(await psu.look()).toMatchObject({ outcome: { attemptsLeft: left } });
    }
    expect(there(await psu.send("confirm", wrong))).toBe(`/authorise/${uid}`);
    expect(await psu.look()).toMatchObject({ page: "blocked", blockMinutes: 15 });
    expect(ours.authorisation().scaStatus).toBe("failed");
    expect(there(await psu.send("cancel"))).toBe(refusedAt("/nok"));
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
  });

  it.each(["ana", "nobody"])("P11: wrong passwords of %s count the same way", async (userId) => {
    const psu = browser(await desk());
    await psu.look();
    for (let time = 0; time < 5; time += 1) {
      expect(there(await psu.send("login", credentials(userId)))).toBe(`/authorise/${uid}`);
    }
    expect(await psu.look()).toMatchObject({ page: "blocked" });
  });

  it("4(3)(b): the fifth failure of an authorisation leads back, whoever it was", async () => {
    const { ours, psu } = await atSummary();
    for (const userId of ["a", "b", "c", "d"]) await psu.send("login", credentials(userId));
    expect(there(await psu.send("confirm", [["code", "000000"]]))).toBe(refusedAt());
    expect(ours.authorisation()).toMatchObject({ failedBecause: "too-many-tries" });
    expect([...ours.sessions.values()].map(({ revoked }) => revoked)).toEqual([true]);
  });

  it("every ended page still leads back", async () => {
    for (const minutes of [1, 16]) {
      const ours = await desk();
      const psu = browser(ours);
      if (minutes === 1) ours.change({ scaStatus: "failed" });
      ours.wait(minutes);
      expect((await psu.look()).page).toBe(minutes === 1 ? "refused" : "expired");
      expect(there(await psu.send("cancel"))).toBe(refusedAt());
    }
  });

  it("a TPP that has withdrawn is named as the reason", async () => {
    const { ours, psu } = await atSummary();
    ours.change({ scaStatus: "failed" });
    ours.bank.consents.set(ours.consent.id, { ...ours.consent, status: "terminatedByTpp" });
    expect(await psu.look()).toMatchObject({ page: "withdrawn" });
    const late = await psu.send("confirm", [["code", "123456"]]);
    expect(there(late)).toBe(`/authorise/${uid}`);
  });
});
