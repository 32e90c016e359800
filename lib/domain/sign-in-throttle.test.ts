import { describe, expect, it, vi } from "vitest";
import { identifyPsu } from "./sca";
import { beginSignIn, type SessionHash } from "./sign-in";
import type { Network } from "./sign-in-throttle";
import { inMemoryBank } from "./testing/in-memory-bank";
import { openedConsent } from "./testing/journeys";
import { later, now } from "./testing/samples";

const stranger = "192.0.2.7" as Network;
const home = "198.51.100.4" as Network;

function bank() {
  const at = inMemoryBank();
  const begin = (userId: string, password: string, network = stranger, when = now) =>
    beginSignIn(at.ports, {
      ...{ userId, password, network, now: when },
      session: crypto.randomUUID() as string as SessionHash,
    });
  return { ...at, at, begin };
}

describe("a network that fails often", () => {
  it.each(["ana", "nobody-has-this"])(
    "P5, P11: waits longer after each failure for %s, before five of its own block anybody",
    async (userId) => {
      const { begin, ports } = bank();
      const verify = vi.spyOn(ports.psuDirectory, "verifyPassword");
      const outcomes: unknown[] = [];
      const tries = [0, 0, 0, 0.2, 0.25, 15.24, 15.25] as const;
      for (const minutes of tries) {
        outcomes.push(await begin(userId, "no", stranger, later(minutes)));
      }
      const wrong = (attemptsLeft: number) => ({ outcome: "wrong-credentials", attemptsLeft });
      expect(outcomes).toEqual([
        ...[wrong(4), wrong(3), wrong(2)],
        { outcome: "too-soon", waitSeconds: 3 },
        wrong(1),
        { outcome: "too-soon", waitSeconds: 1 },
        { outcome: "blocked" },
      ]);
      expect(verify).toHaveBeenCalledTimes(5);
    },
  );

  it("P5: keeps nobody else waiting, at another network or with another user ID", async () => {
    const { begin } = bank();
    for (let tries = 0; tries < 6; tries += 1) await begin("ana", "no");
    expect(await begin("ana", "ana-sandbox")).toMatchObject({ outcome: "too-soon" });
    expect(await begin("ana", "ana-sandbox", home)).toMatchObject({ outcome: "password-right" });
    expect(await begin("mihai", "mihai-sandbox")).toMatchObject({ outcome: "password-right" });
  });

  it("X14: has 20 failures in 15 minutes, whatever user IDs it makes up: no hash and no row for the rest", async () => {
    const { begin, bank: kept, ports } = bank();
    const verify = vi.spyOn(ports.psuDirectory, "verifyPassword");
    for (let tries = 0; tries < 100; tries += 1) await begin(`nobody-${tries}`, "no");
    expect(verify).toHaveBeenCalledTimes(20);
    expect(kept.psuFailures.size).toBe(20);
    expect(await begin("ana", "ana-sandbox")).toEqual({ outcome: "too-soon", waitSeconds: 900 });
    const then = later(15);
    expect(await begin("ana", "ana-sandbox", stranger, then)).toMatchObject({
      outcome: "password-right",
    });
  });

  it("may go on at once after a right password", async () => {
    const { begin } = bank();
    for (let tries = 0; tries < 2; tries += 1) await begin("ana", "no");
    await begin("ana", "ana-sandbox");
    for (const attemptsLeft of [2, 1]) {
      expect(await begin("ana", "no")).toEqual({ outcome: "wrong-credentials", attemptsLeft });
    }
  });

  it("P5: is held up at a TPP's request as well, which stays open", async () => {
    const { at } = bank();
    const { authorisation } = await openedConsent(undefined, at);
    const asked = { userId: "ana", password: "no", network: stranger, now };
    const outcomes: string[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      const identified = await identifyPsu(at.ports, {
        authorisation: await authorisation(),
        ...asked,
      });
      outcomes.push(identified.outcome);
    }
    expect(outcomes.slice(3)).toEqual(["too-soon", "too-soon"]);
    expect(await authorisation()).toMatchObject({ scaStatus: "received", failedAttempts: 3 });
  });
});

it("X14: when too many wait for a hash the attempt counts for nothing", async () => {
  const { begin, ports, bank: kept } = bank();
  vi.spyOn(ports.passwordTurns, "run").mockResolvedValue(undefined);
  for (let tries = 0; tries < 9; tries += 1) {
    expect(await begin("ana", "no")).toEqual({ outcome: "busy" });
  }
  expect(kept.psuFailures.size).toBe(0);
});
