import { describe, expect, it, vi } from "vitest";
import {
  beginSignIn,
  completeSignIn,
  mayAddPasskey,
  referenceOf,
  type SessionHash,
  type SignIn,
  sendSignInCode,
  signInByProvider,
} from "./sign-in";
import { inMemoryBank } from "./testing/in-memory-bank";
import { ana, later, now } from "./testing/samples";

const limits = { inactivityMinutes: 5, sessionMinutes: 60 };
let made = 0;
const newSession = () => {
  made += 1;
  return `${made}`.padStart(8, "a") as SessionHash;
};

function channel() {
  const world = inMemoryBank();
  const { bank, ports } = world;
  const begin = (userId = "ana", password = "ana-sandbox", at = now) =>
    beginSignIn(ports, { userId, password, session: newSession(), now: at });
  const current = async ({ session }: SignIn, at = now) => {
    const found = await ports.signIns.touch(session, limits, at);
    if (found === undefined) throw new Error("no such session");
    return found;
  };
  const send = (signIn: SignIn, at = now) =>
    sendSignInCode(ports, {
      signIn,
      wording: ({ code, reference }) => `${code} for ${reference}`,
      now: at,
    });
  const complete = (signIn: SignIn, code: string, at = now, opens = newSession()) =>
    completeSignIn(ports, { signIn, proof: { method: "code", code }, opens, now: at });
  const atCode = async () => {
    const begun = await begin();
    if (begun.outcome !== "password-right") throw new Error(begun.outcome);
    await send(begun.signIn);
    return current(begun.signIn);
  };
  const lastCode = () => bank.texts.at(-1)?.code ?? "none";
  return { ...world, begin, current, send, complete, atCode, lastCode };
}

describe("a sign-in at the identity provider", () => {
  /** By its own clock, which a sandbox's is ahead of. */
  const machineNow = later(-60 * 24);

  it.each([
    [0, true],
    [4, true],
    [6, false],
    [-0.4, true],
  ])("RTS 24(2)(b): SCA there %d minutes ago: a passkey may be added: %s", async (ago, may) => {
    const { bank, ports, current } = channel();
    const session = newSession();
    const identified = { customerId: ana, authTime: later(-ago, machineNow) };
    await signInByProvider(ports, { session, identified, machineNow, now });
    const [row] = bank.signIns.values();
    expect(row).toMatchObject({ createdAt: now, scaDoneAt: later(-Math.max(0, ago)) });
    const signIn = await current({ session, psuId: ana, beganAt: now, codesSent: 0 });
    expect(mayAddPasskey(ports.profile, signIn, now)).toBe(may);
  });
});

describe("the password at the bank's own channel", () => {
  it("opens nothing by itself", async () => {
    const { begin, current } = channel();
    const begun = await begin();
    if (begun.outcome !== "password-right") throw new Error(begun.outcome);
    const known = await current(begun.signIn);
    expect(known.psuId).toBe("ana");
    expect(known).not.toHaveProperty("scaDoneAt");
  });

  it("RTS 4(3)(a): a wrong user ID and a wrong password are answered alike", async () => {
    const { begin } = channel();
    const wrong = await begin("ana", "no");
    expect(wrong).toEqual({ outcome: "wrong-credentials", attemptsLeft: 4 });
    expect(await begin("nobody-has-this", "no")).toEqual(wrong);
  });

  it("RTS 4(3)(b): five failures block, whether or not there is such a PSU", async () => {
    const { begin } = channel();
    for (const userId of ["ana", "nobody-has-this"]) {
      const outcomes = [];
      for (let tries = 0; tries < 6; tries += 1) outcomes.push((await begin(userId, "no")).outcome);
      expect(outcomes.slice(3)).toEqual(["wrong-credentials", "blocked", "blocked"]);
    }
    expect(await begin()).toEqual({ outcome: "blocked" });
  });

  it("P5: an attempt that waits for the last one to be judged learns that it was a failure", async () => {
    const { begin, bank, atCode, complete } = channel();
    const signIn = await atCode();
    for (let tries = 0; tries < 4; tries += 1) await begin("ana", "no");
    for (let tries = 0; tries < 5; tries += 1) await begin("nobody-has-this", "no");
    await complete(signIn, "000000");
    const failures = [...bank.psuFailures.values()];
    expect(failures).toMatchObject([
      { failures: 5, judged: true },
      { failures: 5, judged: true },
    ]);
  });

  it("a right one gives back no failure before it", async () => {
    const { begin } = channel();
    await begin("ana", "no");
    await begin();
    expect(await begin("ana", "no")).toMatchObject({ attemptsLeft: 3 });
  });
});

describe("the code at the bank's own channel", () => {
  it("says what it is for, and signs in: another session, while the first is over", async () => {
    const { bank, ports, atCode, complete, lastCode } = channel();
    const signIn = await atCode();
    expect(bank.texts.at(-1)?.text).toBe(`${lastCode()} for ${referenceOf(signIn.session)}`);
    const opens = newSession();
    expect(await complete(signIn, lastCode(), now, opens)).toEqual({ outcome: "signed-in" });
    expect(await ports.signIns.touch(opens, limits, now)).toMatchObject({ scaDoneAt: now });
    expect(await ports.signIns.touch(signIn.session, limits, now)).toBeUndefined();
  });

  it("P6: signs in once", async () => {
    const { atCode, complete, lastCode } = channel();
    const signIn = await atCode();
    await complete(signIn, lastCode());
    expect(await complete(signIn, lastCode())).toEqual({ outcome: "ended" });
  });

  it("P6: of another sign-in of the same PSU is wrong", async () => {
    const { atCode, complete, lastCode } = channel();
    const first = await atCode();
    const firstCode = lastCode();
    const second = await atCode();
    expect(await complete(second, firstCode)).toMatchObject({ outcome: "wrong-proof" });
    expect(await complete(first, firstCode)).toEqual({ outcome: "signed-in" });
  });

  it("P6: replaced by a newer one is wrong, and there are only so many", async () => {
    const { atCode, current, send, complete, lastCode } = channel();
    const signIn = await atCode();
    const first = lastCode();
    expect(await send(signIn)).toEqual({ outcome: "code-sent" });
    expect(await complete(await current(signIn), first)).toMatchObject({
      outcome: "wrong-proof",
    });
    await send(await current(signIn));
    await send(await current(signIn));
    expect(await send(await current(signIn))).toEqual({ outcome: "too-many-codes" });
  });

  it("P6: after 5 minutes is stale, which costs no attempt", async () => {
    const { bank, atCode, complete, lastCode } = channel();
    const signIn = await atCode();
    const stale = await complete(signIn, lastCode(), later(5));
    expect(stale).toEqual({ outcome: "stale-proof" });
    expect([...bank.psuFailures.values()].map(({ failures }) => failures)).toEqual([0]);
  });

  it("P5: of 50 parallel guesses five are judged, and the sign-in is over", async () => {
    const { ports, atCode, complete } = channel();
    const signIn = await atCode();
    const guesses = Array.from({ length: 50 }, () => complete(signIn, "000000"));
    const outcomes = (await Promise.all(guesses)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "wrong-proof")).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === "blocked")).toHaveLength(46);
    expect(await ports.signIns.touch(signIn.session, limits, now)).toBeUndefined();
  });

  it("passwords and codes count together, and a completed SCA ends the row of failures", async () => {
    const { begin, atCode, complete, lastCode } = channel();
    await begin("ana", "no");
    const signIn = await atCode();
    expect(await complete(signIn, "000000")).toMatchObject({ attemptsLeft: 3 });
    await complete(signIn, lastCode());
    expect(await begin("ana", "no")).toMatchObject({ attemptsLeft: 4 });
  });

  it("is not sent for a sign-in that is complete, and a failed delivery is reported", async () => {
    const { bank, ports, atCode, send, complete, lastCode } = channel();
    bank.delivers = false;
    const signIn = await atCode();
    expect(await send(signIn)).toEqual({ outcome: "not-delivered" });
    const undelivered = await ports.signIns.touch(signIn.session, limits, now);
    expect(undelivered?.challenge).toBeUndefined();
    bank.delivers = true;
    expect(await send(signIn)).toEqual({ outcome: "code-sent" });
    const opens = newSession();
    const latest = await ports.signIns.touch(signIn.session, limits, now);
    await complete(latest ?? signIn, lastCode(), now, opens);
    const done = await ports.signIns.touch(opens, limits, now);
    expect(await send(done ?? signIn)).toEqual({ outcome: "ended" });
  });

  it("is invalid for a PSU who no longer exists", async () => {
    const { ports, atCode, lastCode } = channel();
    const signIn = await atCode();
    const gone = {
      ...ports,
      psuDirectory: { ...ports.psuDirectory, find: async () => undefined },
    };
    const proof = { method: "code", code: lastCode() } as const;
    const asked = { signIn, proof, opens: newSession(), now };
    expect(await completeSignIn(gone, asked)).toEqual({ outcome: "ended" });
    expect(await ports.signIns.touch(signIn.session, limits, now)).toBeUndefined();
  });

  it("P5: an outage while password or code is judged costs no attempt", async () => {
    const { bank, ports, atCode, complete, lastCode } = channel();
    const outage = () => Promise.reject(new Error("the database does not answer"));
    const signIn = await atCode();
    const psuDirectory = { ...ports.psuDirectory, verifyPassword: outage };
    const password = { userId: "ana", password: "ana-sandbox", session: newSession(), now };
    const proof = { method: "code", code: lastCode() } as const;
    const signIns = { ...ports.signIns, complete: outage };
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(beginSignIn({ ...ports, psuDirectory }, password)).rejects.toThrow();
      const asked = { signIn, proof, opens: newSession(), now };
      await expect(completeSignIn({ ...ports, signIns }, asked)).rejects.toThrow();
    }
    expect([...bank.psuFailures.values()].map(({ failures }) => failures)).toEqual([0]);
    expect(await complete(signIn, lastCode())).toEqual({ outcome: "signed-in" });
  });

  it("a session that is signed in is not signed in again, which costs no attempt", async () => {
    const { bank, ports, atCode, complete, lastCode } = channel();
    const opens = newSession();
    await complete(await atCode(), lastCode(), now, opens);
    const done = await ports.signIns.touch(opens, limits, now);
    if (done === undefined) throw new Error("not signed in");
    expect(await complete(done, "000000")).toEqual({ outcome: "ended" });
    expect(bank.psuFailures.size).toBe(0);
  });
});

describe("a blocked user ID", () => {
  const session = "aaaaaaa1" as SessionHash;

  it("X14: once a user ID is blocked no password is judged for it, which would cost the bank a hash", async () => {
    const { ports } = inMemoryBank();
    const begin = (userId: string, password: string) =>
      beginSignIn(ports, { userId, password, session, now });
    for (let tries = 0; tries < 5; tries += 1) await begin("ana", "no");
    const verify = vi.spyOn(ports.psuDirectory, "verifyPassword");
    for (let tries = 0; tries < 20; tries += 1) {
      expect(await begin("ana", "ana-sandbox")).toEqual({ outcome: "blocked" });
    }
    expect(verify).not.toHaveBeenCalled();
    expect(await begin("mihai", "mihai-sandbox")).toMatchObject({ outcome: "password-right" });
    expect(verify).toHaveBeenCalledOnce();
  });
});
