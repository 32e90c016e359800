import { describe, expect, it, vi } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import { failAuthorisation } from "./authorisation";
import { UnavailableError } from "./errors";
import { attemptLimits, userKeys } from "./psu-attempts";
import { completeAuthorisation, identifyPsu } from "./sca";
import type { Network } from "./sign-in-throttle";
import { inMemoryBank } from "./testing/in-memory-bank";
import { openedConsent, paymentAtCode, startedConsent } from "./testing/journeys";
import { ana, later, now } from "./testing/samples";

const rightCode = { method: "code", code: "123456" } as const;
type AtBank = ReturnType<typeof inMemoryBank>;

async function wrongPasswords(count: number, at: AtBank, userId = "ana") {
  for (let tries = 0; tries < count; tries += 1) {
    await (await openedConsent(undefined, at)).login(userId, "wrong");
  }
}
const failuresOf = (userId: string, { bank, ports }: AtBank) =>
  bank.psuFailures.get(userKeys(ports.oneTimeCodes, userId)[0])?.failures ?? 0;

describe("what counts as a failure of the PSU", () => {
  it("P5: a right password does not, and takes back none that came before", async () => {
    const at = inMemoryBank();
    await wrongPasswords(2, at);
    for (let times = 0; times < 9; times += 1) {
      await (await openedConsent(undefined, at)).login("ana", "ana-sandbox");
    }
    expect(failuresOf("ana", at)).toBe(2);
    expect(await (await startedConsent(at)).confirm("000000")).toMatchObject({ attemptsLeft: 2 });
  });

  it("a right password where somebody else has begun does not, and is none of theirs", async () => {
    const at = inMemoryBank();
    await wrongPasswords(4, at, "mihai");
    const { login } = await openedConsent(undefined, at);
    await login("ana", "ana-sandbox");
    expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "another-psu" });
    expect([failuresOf("ana", at), failuresOf("mihai", at)]).toEqual([0, 4]);
  });

  it("what reaches an authorisation that is over does not", async () => {
    const at = inMemoryBank();
    const { ports, authorisation, login } = await openedConsent(undefined, at);
    await failAuthorisation(ports, { id: (await authorisation()).id, because: "cancelled", now });
    expect(await login("ana", "wrong")).toEqual({ outcome: "ended" });
    expect(failuresOf("ana", at)).toBe(0);
  });

  it("a code for accounts that are gone meanwhile does not", async () => {
    const at = inMemoryBank();
    const { authorisation, confirm } = await paymentAtCode(at);
    at.bank.accountsOf.set(ana, []);
    expect(await confirm("000000")).toEqual({ outcome: "ended" });
    expect((await authorisation()).failedBecause).toBe("account-gone");
    expect(failuresOf("ana", at)).toBe(0);
  });

  it("a code that was for what the PSU has just changed elsewhere does not", async () => {
    const at = inMemoryBank();
    const { authorisation } = await startedConsent(at);
    const asked = { authorisation: await authorisation(), proof: rightCode, now };
    const { takeAttempt } = at.ports.authorisations;
    const authorisations: typeof at.ports.authorisations = {
      ...at.ports.authorisations,
      takeAttempt: async (...given) => {
        const taken = await takeAttempt(...given);
        if (taken === undefined) return undefined;
        const { challenge: _, ...withoutCode } = taken;
        return withoutCode;
      },
    };
    const ports = { ...at.ports, authorisations };
    expect(await completeAuthorisation(ports, asked)).toEqual({ outcome: "ended" });
    expect(failuresOf("ana", at)).toBe(0);
  });

  const outage = () => Promise.reject(new UnavailableError("the core bank does not answer"));

  it.each(["quotePayment", "accountsOf"] as const)(
    "P5: a code that an outage of the core bank keeps from being judged does not: at its %s",
    async (call) => {
      const at = inMemoryBank();
      const { authorisation, confirm } =
        call === "quotePayment" ? await paymentAtCode(at) : await startedConsent(at);
      const ports = { ...at.ports, coreBank: { ...at.ports.coreBank, [call]: outage } };
      for (let tries = 0; tries < 5; tries += 1) {
        const asked = { authorisation: await authorisation(), proof: rightCode, now };
        await expect(completeAuthorisation(ports, asked)).rejects.toThrow(UnavailableError);
      }
      expect(await authorisation()).toMatchObject({ scaStatus: "started", failedAttempts: 0 });
      expect(failuresOf("ana", at)).toBe(0);
      expect(await confirm("123456")).toEqual({ outcome: "finalised" });
    },
  );

  it("P5: a proof whose judgement fails does not", async () => {
    const at = inMemoryBank();
    const { authorisation, confirm } = await startedConsent(at);
    const matches = () => {
      throw new UnavailableError("the database does not answer");
    };
    const ports = { ...at.ports, oneTimeCodes: { ...at.ports.oneTimeCodes, matches } };
    const asked = { authorisation: await authorisation(), proof: rightCode, now };
    await expect(completeAuthorisation(ports, asked)).rejects.toThrow(UnavailableError);
    expect(failuresOf("ana", at)).toBe(0);
    expect(await confirm("123456")).toEqual({ outcome: "finalised" });
  });

  it("P5: a password that an outage keeps from being judged does not, neither of the PSU nor of the network", async () => {
    const at = inMemoryBank();
    const { authorisation } = await openedConsent(undefined, at);
    const credentials = { userId: "ana", password: "ana-sandbox", network: "192.0.2.1" as Network };
    const psuDirectory = { ...at.ports.psuDirectory, verifyPassword: outage };
    for (let tries = 0; tries < 5; tries += 1) {
      const asked = { authorisation: await authorisation(), ...credentials, now };
      await expect(identifyPsu({ ...at.ports, psuDirectory }, asked)).rejects.toThrow();
    }
    expect(failuresOf("ana", at)).toBe(0);
    const asked = { authorisation: await authorisation(), ...credentials, now };
    expect(await identifyPsu(at.ports, asked)).toMatchObject({ outcome: "authenticated" });
    expect((await authorisation()).failedAttempts).toBe(0);
  });

  it("a code of a PSU who is no customer any more does not", async () => {
    const at = inMemoryBank();
    const { authorisation } = await startedConsent(at);
    const psuDirectory = { ...at.ports.psuDirectory, find: async () => undefined };
    const asked = { authorisation: await authorisation(), proof: rightCode, now };
    const ports = { ...at.ports, psuDirectory };
    expect(await completeAuthorisation(ports, asked)).toEqual({ outcome: "ended" });
    expect((await authorisation()).failedBecause).toBe("account-gone");
    expect(failuresOf("ana", at)).toBe(0);
  });

  it("the right code of the second of two who confirm at once does not", async () => {
    const at = inMemoryBank();
    const { authorisation } = await startedConsent(at);
    const authorisations = {
      ...at.ports.authorisations,
      finaliseAccountConsent: async () => false,
    };
    await wrongPasswords(2, at);
    const asked = { authorisation: await authorisation(), proof: rightCode, now };
    const ports = { ...at.ports, authorisations };
    expect(await completeAuthorisation(ports, asked)).toEqual({ outcome: "ended" });
    expect(failuresOf("ana", at)).toBe(2);
  });
});

describe("P5: an attempt that waits for the last one to be judged learns that it was a failure", () => {
  const isJudged = ({ bank }: AtBank) => [...bank.psuFailures.values()].map(({ judged }) => judged);

  it("where it was a password", async () => {
    const at = inMemoryBank();
    await wrongPasswords(4, at);
    expect(isJudged(at)).toEqual([false]);
    await wrongPasswords(1, at);
    expect(isJudged(at)).toEqual([true]);
  });

  it("where it was a code", async () => {
    const at = inMemoryBank();
    const { confirm } = await startedConsent(at);
    await wrongPasswords(4, at);
    expect(await confirm("000000")).toEqual({ outcome: "ended" });
    expect(isJudged(at)).toEqual([true]);
  });
});

describe("the end of a row of failures", () => {
  it("is a completed SCA", async () => {
    const at = inMemoryBank();
    await wrongPasswords(4, at);
    expect(await (await startedConsent(at)).confirm("123456")).toEqual({ outcome: "finalised" });
    expect(failuresOf("ana", at)).toBe(0);
  });

  it.each(["finalised", "rejected"] as const)(
    "is it also for a payment that then is %s by the bank's rules",
    async (outcome) => {
      const at = inMemoryBank();
      await wrongPasswords(4, at);
      at.bank.paymentFinalisation = outcome;
      expect(await (await paymentAtCode(at)).confirm("123456")).toEqual({ outcome });
      expect(failuresOf("ana", at)).toBe(0);
    },
  );

  it.each(["gone", "too-late"] as const)("is no right code for what is %s", async (found) => {
    const at = inMemoryBank();
    await wrongPasswords(4, at);
    at.bank.paymentFinalisation = found;
    expect(await (await paymentAtCode(at)).confirm("123456")).toEqual({ outcome: "ended" });
    expect(failuresOf("ana", at)).toBe(4);
  });
});

describe("the tries that are left are the fewer of the authorisation's and the PSU's", () => {
  it("where the PSU has failed elsewhere", async () => {
    const at = inMemoryBank();
    await wrongPasswords(3, at);
    const { login } = await openedConsent(undefined, at);
    expect(await login("ana", "wrong")).toEqual({
      outcome: "wrong-credentials",
      attemptsLeft: 1,
    });
  });

  it("where others have failed here: the end is too-many-tries, and nobody is blocked", async () => {
    const at = inMemoryBank();
    const { login, authorisation } = await openedConsent(undefined, at);
    for (const attemptsLeft of [4, 3, 2, 1]) {
      const outcome = await login(`nobody-${attemptsLeft}`, "wrong");
      expect(outcome).toEqual({ outcome: "wrong-credentials", attemptsLeft });
    }
    expect(await login("ana", "wrong")).toEqual({ outcome: "ended" });
    expect((await authorisation()).failedBecause).toBe("too-many-tries");
    const again = await openedConsent(undefined, at);
    expect(await again.login("ana", "ana-sandbox")).toMatchObject({ outcome: "authenticated" });
  });

  it("where both are used up at once the PSU learns that sign-in is blocked", async () => {
    const at = inMemoryBank();
    const { login, authorisation } = await openedConsent(undefined, at);
    for (let tries = 0; tries < 5; tries += 1) await login("ana", "wrong");
    expect((await authorisation()).failedBecause).toBe("psu-blocked");
  });
});

describe("the attempts of a user ID", () => {
  type AtBank = ReturnType<typeof inMemoryBank>;

  /** So many wrong passwords, each in an authorisation of its own. */
  async function wrongPasswords(count: number, at: AtBank, userId = "ana") {
    for (let tries = 0; tries < count; tries += 1) {
      await (await openedConsent(undefined, at)).login(userId, "wrong");
    }
  }
  const reasonIn = async ({ authorisation }: Awaited<ReturnType<typeof openedConsent>>) =>
    (await authorisation()).failedBecause;

  describe("five failures in a row of one PSU", () => {
    it("P5: are counted over all authorisations, passwords and codes together", async () => {
      const at = inMemoryBank();
      const codes = await startedConsent(at);
      await wrongPasswords(3, at);
      expect(await codes.confirm("000000")).toEqual({ outcome: "wrong-code", attemptsLeft: 1 });
      const last = await openedConsent(undefined, at);
      expect(await last.login("ana", "wrong")).toEqual({ outcome: "ended" });
      expect(await reasonIn(last)).toBe("psu-blocked");
      expect(last.status()).toBe("rejected");
    });

    it("P5: block right passwords and right codes in every other authorisation, unjudged", async () => {
      const at = inMemoryBank();
      const [codes, password] = [await startedConsent(at), await openedConsent(undefined, at)];
      await wrongPasswords(5, at);
      const verify = vi.spyOn(at.ports.psuDirectory, "verifyPassword");
      const compare = vi.spyOn(at.ports.oneTimeCodes, "matches");
      expect(await password.login("ana", "ana-sandbox")).toEqual({ outcome: "ended" });
      expect(await codes.confirm("123456")).toEqual({ outcome: "ended" });
      expect([await reasonIn(password), await reasonIn(codes)]).toEqual([
        "psu-blocked",
        "psu-blocked",
      ]);
      expect([verify.mock.calls.length, compare.mock.calls.length]).toEqual([0, 0]);
      const { login } = await openedConsent(undefined, at);
      expect(await login("mihai", "mihai-sandbox")).toMatchObject({ outcome: "authenticated" });
    });

    it("P5: wrong passwords do so for 15 minutes, again and again, and never for good", async () => {
      const at = inMemoryBank();
      const until = async (minutes: number, password: string) => {
        const { authorisation, login } = await openedConsent(undefined, at);
        const { id } = await authorisation();
        const found = await at.ports.authorisations.find(id);
        if (found !== undefined)
          at.bank.authorisations.set(id, { ...found, expiresAt: later(9e9) });
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

    it("P5: ten wrong codes do so for good, which is shown after the right password alone", async () => {
      const at = inMemoryBank();
      const blockIsOver = () => {
        for (const [key, row] of at.bank.psuFailures) {
          at.bank.psuFailures.set(key, { ...row, lastAt: later(-15) });
        }
      };
      for (const minutes of [0, 15]) {
        const now = later(minutes);
        const codes = await startedConsent(at);
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
        const flow = await openedConsent(undefined, at);
        const { outcome } = await flow.login("ana", password, later(10));
        return [outcome, await reasonIn(flow)];
      };
      blockIsOver();
      expect(await asked("wrong")).toEqual(["wrong-credentials", undefined]);
      expect(await asked("ana-sandbox")).toEqual(["ended", "psu-blocked"]);
      await at.ports.psuAttempts.forget(userKeys(at.ports.oneTimeCodes, "ana")[0]);
      expect(await asked("ana-sandbox")).toEqual(["authenticated", undefined]);
    });

    it.each(["ANA", " ana ", "\tAna"])("P5: %j is no other user ID than ana", async (typed) => {
      const at = inMemoryBank();
      await wrongPasswords(4, at);
      const last = await openedConsent(undefined, at);
      await last.login(typed, "wrong");
      expect(await reasonIn(last)).toBe("psu-blocked");
    });

    it("4(3)(a): a user ID that nobody has is counted and blocked like any other", async () => {
      const of = async (userId: string) => {
        const at = inMemoryBank();
        const seen: unknown[] = [];
        for (let tries = 0; tries < 7; tries += 1) {
          const flow = await openedConsent(undefined, at);
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

  it("the limits are those of the profile, relative to now", () => {
    expect(attemptLimits(aspspProfile, now)).toEqual({
      failuresMax: 5,
      secondFailuresMax: 10,
      blockOver: later(-15),
      forgotten: later(-30 * 1_440),
      passwordsForgotten: later(-1_440),
    });
  });
});
