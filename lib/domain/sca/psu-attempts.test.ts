import { describe, expect, it, vi } from "vitest";
import { aspspProfile } from "../aspsp-profile";
import { opened, started } from "../testing/flow";
import { inMemoryBank } from "../testing/in-memory-bank";
import { later, now } from "../testing/samples";
import { attemptLimits, userKey } from "./psu-attempts";

type AtBank = ReturnType<typeof inMemoryBank>;

/** So many wrong passwords, each in an authorisation of its own. */
async function wrongPasswords(count: number, at: AtBank, userId = "ana") {
  for (let tries = 0; tries < count; tries += 1) {
    await (await opened(undefined, at)).login(userId, "wrong");
  }
}
const reasonIn = async ({ authorisation }: Awaited<ReturnType<typeof opened>>) =>
  (await authorisation()).failedBecause;

describe("five failures in a row of one PSU", () => {
  it("P5: are counted over all authorisations, passwords and codes together", async () => {
    const at = inMemoryBank();
    const codes = await started(at);
    await wrongPasswords(3, at);
    expect(await codes.confirm("000000")).toEqual({ outcome: "wrong-code", attemptsLeft: 1 });
    const last = await opened(undefined, at);
    expect(await last.login("ana", "wrong")).toEqual({ outcome: "ended" });
    expect(await reasonIn(last)).toBe("psu-blocked");
    expect(last.status()).toBe("rejected");
  });

  it("P5: block right passwords and right codes in every other authorisation, unjudged", async () => {
    const at = inMemoryBank();
    const [codes, password] = [await started(at), await opened(undefined, at)];
    await wrongPasswords(5, at);
    const verify = vi.spyOn(at.ports.psuDirectory, "verifyPassword");
    const compare = vi.spyOn(at.ports.oneTimeCodes, "equal");
    expect(await password.login("ana", "ana-sandbox")).toEqual({ outcome: "ended" });
    expect(await codes.confirm("123456")).toEqual({ outcome: "ended" });
    expect([await reasonIn(password), await reasonIn(codes)]).toEqual([
      "psu-blocked",
      "psu-blocked",
    ]);
    expect([verify.mock.calls.length, compare.mock.calls.length]).toEqual([0, 0]);
    const { login } = await opened(undefined, at);
    expect(await login("mihai", "mihai-sandbox")).toMatchObject({ outcome: "authenticated" });
  });

  it("P5: wrong passwords do so for 15 minutes, again and again, and never for good", async () => {
    const at = inMemoryBank();
    const until = async (minutes: number, password: string) => {
      const { authorisation, login } = await opened(undefined, at);
      const { id } = await authorisation();
      const found = await at.ports.authorisations.find(id);
      if (found !== undefined) at.bank.authorisations.set(id, { ...found, expiresAt: later(9e9) });
      return (await login("ana", password, later(minutes))).outcome;
    };
    for (let minutes = 0; minutes < 240; minutes += 15) {
      for (let tries = 0; tries < 4; tries += 1) {
        expect(await until(minutes, "wrong")).toBe("wrong-credentials");
      }
      expect(await until(minutes, "wrong")).toBe("ended");
      expect(await until(minutes + 14.99, "ana-sandbox")).toBe("ended");
    }
    expect(await until(240, "ana-sandbox")).toBe("authenticated");
    expect(at.bank.toldOfBlock).toEqual([["ana", "blocked"]]);
  });

  it("P5: ten wrong codes do so for good, which the right password alone is told of", async () => {
    const at = inMemoryBank();
    const blockIsOver = () => {
      for (const [key, row] of at.bank.psuFailures) {
        at.bank.psuFailures.set(key, { ...row, lastAt: later(-15) });
      }
    };
    for (const minutes of [0, 15]) {
      const now = later(minutes);
      const codes = await started(at);
      const { id } = await codes.authorisation();
      const found = await at.ports.authorisations.find(id);
      const challenge = { codeFingerprint: "#none", expiresAt: later(20) };
      if (found === undefined) throw new Error("no authorisation");
      at.bank.authorisations.set(id, { ...found, challenge, expiresAt: later(9e9) });
      for (let tries = 0; tries < 5; tries += 1) await codes.confirm("000000", now);
      if (minutes === 0) blockIsOver();
    }
    expect(at.bank.toldOfBlock).toEqual([
      ["ana", "warned"],
      ["ana", "blocked-for-good"],
    ]);
    const asked = async (password: string) => {
      const flow = await opened(undefined, at);
      const { outcome } = await flow.login("ana", password, later(10));
      return [outcome, await reasonIn(flow)];
    };
    blockIsOver();
    expect(await asked("wrong")).toEqual(["wrong-credentials", undefined]);
    expect(await asked("ana-sandbox")).toEqual(["ended", "psu-blocked"]);
    await at.ports.psuAttempts.forget(userKey(at.ports.oneTimeCodes, "ana"));
    expect(await asked("ana-sandbox")).toEqual(["authenticated", undefined]);
  });

  it.each(["ANA", " ana ", "\tAna"])("P5: %j is no other user ID than ana", async (typed) => {
    const at = inMemoryBank();
    await wrongPasswords(4, at);
    const last = await opened(undefined, at);
    await last.login(typed, "wrong");
    expect(await reasonIn(last)).toBe("psu-blocked");
  });

  it("4(3)(a): a user ID that nobody has is counted and blocked like any other", async () => {
    const of = async (userId: string) => {
      const at = inMemoryBank();
      const seen: unknown[] = [];
      for (let tries = 0; tries < 7; tries += 1) {
        const flow = await opened(undefined, at);
        seen.push([await flow.login(userId, "wrong"), await reasonIn(flow)]);
      }
      return [...seen, ...at.bank.psuFailures.values()];
    };
    expect(await of("nobody")).toEqual(await of("ana"));
  });

  it("are kept under a keyed fingerprint: what was typed may be a password", async () => {
    const at = inMemoryBank();
    await wrongPasswords(1, at, "my-secret-password");
    expect([...at.bank.psuFailures.keys()]).toEqual([
      at.ports.oneTimeCodes.fingerprint("user-id\nmy-secret-password"),
    ]);
  });
});

it("the limits are those of the profile, seen from now", () => {
  expect(attemptLimits(aspspProfile, now)).toEqual({
    failuresMax: 5,
    secondFailuresMax: 10,
    blockOver: later(-15),
    forgotten: later(-30 * 1_440),
    passwordsForgotten: later(-1_440),
  });
});
