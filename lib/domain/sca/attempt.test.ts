import { describe, expect, it } from "vitest";
import { opened, started } from "../testing/flow";
import { inMemoryBank } from "../testing/in-memory-bank";
import { paymentAtCode } from "../testing/payment-at-code";
import { ana, now } from "../testing/samples";
import { cancelAuthorisation } from "./cancel-authorisation";
import { completeAuthorisation } from "./complete-authorisation";
import { userKey } from "./psu-attempts";

const rightCode = { method: "code", code: "123456" } as const;
type AtBank = ReturnType<typeof inMemoryBank>;

async function wrongPasswords(count: number, at: AtBank, userId = "ana") {
  for (let tries = 0; tries < count; tries += 1) {
    await (await opened(undefined, at)).login(userId, "wrong");
  }
}
const failuresOf = (userId: string, { bank, ports }: AtBank) =>
  bank.psuFailures.get(userKey(ports.oneTimeCodes, userId))?.failures ?? 0;

describe("what counts as a failure of the PSU", () => {
  it("P5: a right password does not, and takes back none that came before", async () => {
    const at = inMemoryBank();
    await wrongPasswords(2, at);
    for (let times = 0; times < 9; times += 1) {
      await (await opened(undefined, at)).login("ana", "ana-sandbox");
    }
    expect(failuresOf("ana", at)).toBe(2);
    expect(await (await started(at)).confirm("000000")).toMatchObject({ attemptsLeft: 2 });
  });

  it("a right password where somebody else has begun does not, and is none of theirs", async () => {
    const at = inMemoryBank();
    await wrongPasswords(4, at, "mihai");
    const { login } = await opened(undefined, at);
    await login("ana", "ana-sandbox");
    expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "another-psu" });
    expect([failuresOf("ana", at), failuresOf("mihai", at)]).toEqual([0, 4]);
  });

  it("what reaches an authorisation that is over does not", async () => {
    const at = inMemoryBank();
    const { ports, authorisation, login } = await opened(undefined, at);
    await cancelAuthorisation(ports, { authorisation: await authorisation(), now });
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
    const { authorisation } = await started(at);
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

  it("a code of a PSU who is no customer any more does not", async () => {
    const at = inMemoryBank();
    const { authorisation } = await started(at);
    const psuDirectory = { ...at.ports.psuDirectory, find: async () => undefined };
    const asked = { authorisation: await authorisation(), proof: rightCode, now };
    const ports = { ...at.ports, psuDirectory };
    expect(await completeAuthorisation(ports, asked)).toEqual({ outcome: "ended" });
    expect((await authorisation()).failedBecause).toBe("account-gone");
    expect(failuresOf("ana", at)).toBe(0);
  });

  it("the right code of the second of two who confirm at once does not", async () => {
    const at = inMemoryBank();
    const { authorisation } = await started(at);
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

describe("P5: whoever waits for the last attempt to be judged learns that it was a failure", () => {
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
    const { confirm } = await started(at);
    await wrongPasswords(4, at);
    expect(await confirm("000000")).toEqual({ outcome: "ended" });
    expect(isJudged(at)).toEqual([true]);
  });
});

describe("the end of a row of failures", () => {
  it("is a completed SCA", async () => {
    const at = inMemoryBank();
    await wrongPasswords(4, at);
    expect(await (await started(at)).confirm("123456")).toEqual({ outcome: "finalised" });
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
    const { login } = await opened(undefined, at);
    expect(await login("ana", "wrong")).toEqual({ outcome: "wrong-credentials", attemptsLeft: 1 });
  });

  it("where others have failed here: the end is too-many-tries, and nobody is blocked", async () => {
    const at = inMemoryBank();
    const { login, authorisation } = await opened(undefined, at);
    for (const attemptsLeft of [4, 3, 2, 1]) {
      const outcome = await login(`nobody-${attemptsLeft}`, "wrong");
      expect(outcome).toEqual({ outcome: "wrong-credentials", attemptsLeft });
    }
    expect(await login("ana", "wrong")).toEqual({ outcome: "ended" });
    expect((await authorisation()).failedBecause).toBe("too-many-tries");
    const again = await opened(undefined, at);
    expect(await again.login("ana", "ana-sandbox")).toMatchObject({ outcome: "authenticated" });
  });

  it("where both are used up at once the PSU learns that sign-in is blocked", async () => {
    const at = inMemoryBank();
    const { login, authorisation } = await opened(undefined, at);
    for (let tries = 0; tries < 5; tries += 1) await login("ana", "wrong");
    expect((await authorisation()).failedBecause).toBe("psu-blocked");
  });
});
