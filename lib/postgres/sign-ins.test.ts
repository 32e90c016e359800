import { describe, expect, test } from "vitest";
import type { SessionHash } from "@/lib/domain/sign-in";
import { psuSessionStore, signInStore } from "./sign-ins";
import { ana, fileDatabase, mihai, minutesOn, now, winners } from "./testing";

const database = await fileDatabase();

describe("the bank's own channel", () => {
  const signIns = signInStore(database.db);

  const newSession = () => crypto.randomUUID() as string as SessionHash;
  const challenge = { codeFingerprint: "one", expiresAt: minutesOn(5) };
  const one = { codeFingerprint: "one" };
  const limits = { inactivityMinutes: 5, sessionMinutes: 60 };
  const touch = (session: SessionHash, minutes = 0) =>
    signIns.touch(session, limits, minutesOn(minutes));

  async function begun(): Promise<SessionHash> {
    const session = newSession();
    await signIns.begin(session, ana, now);
    return session;
  }

  async function challenged(): Promise<SessionHash> {
    const session = await begun();
    await signIns.startChallenge(session, challenge, 4, now);
    return session;
  }

  async function signedIn(): Promise<SessionHash> {
    const [session, opened] = [await challenged(), newSession()];
    await signIns.complete({ session, opened, judged: one, at: now });
    return opened;
  }

  const second = 1 / 60;

  describe("a session of the bank's own channel", () => {
    test("knows what was proved: first the password, then SCA", async () => {
      const session = await begun();
      const known = { session, psuId: ana, beganAt: now };
      expect(await touch(session)).toEqual({ ...known, codesSent: 0 });
      await signIns.startChallenge(session, challenge, 4, now);
      expect(await touch(session)).toEqual({ ...known, codesSent: 1, challenge });
      const opened = await signedIn();
      expect(await touch(opened)).toEqual({
        ...known,
        session: opened,
        scaDoneAt: now,
        codesSent: 0,
      });
    });

    test("RTS 24(2)(b): signed in at the provider, its SCA is as old as that, and the session is new", async () => {
      const session = newSession();
      await signIns.beginSignedIn(session, ana, minutesOn(-50), now);
      const known = { beganAt: now, scaDoneAt: minutesOn(-50) };
      for (let minute = 5; minute <= 60; minute += 5) {
        expect(await touch(session, minute)).toMatchObject(known);
      }
    });

    test("RTS 4(3)(d): lives for 5 minutes without activity, and for 60 at the most", async () => {
      expect(await touch(await signedIn(), 5)).toBeDefined();
      expect(await touch(await signedIn(), 5 + second)).toBeUndefined();
      const active = await signedIn();
      for (let minute = 4; minute <= 60; minute += 4)
        expect(await touch(active, minute)).toBeDefined();
      expect(await touch(active, 60 + second)).toBeUndefined();
    });

    test("a slow request does not turn the last activity back", async () => {
      const session = await signedIn();
      await touch(session, 4);
      await touch(session, 1);
      expect(await touch(session, 8)).toBeDefined();
    });

    test("P13: opens no authorisation, and a session of an authorisation opens nothing here", async () => {
      const sessions = psuSessionStore(database.db);
      const [own, ofAuthorisation] = [await signedIn(), newSession()];
      await sessions.open(ofAuthorisation, ana, now);
      expect(await sessions.touch(own, limits, now)).toBeUndefined();
      await sessions.revoke(own, now);
      expect(await touch(own)).toBeDefined();
      expect(await touch(ofAuthorisation)).toBeUndefined();
      expect(await signIns.startChallenge(ofAuthorisation, challenge, 4, now)).toBe(false);
      await signIns.revoke(ofAuthorisation, now);
      expect(await sessions.touch(ofAuthorisation, limits, now)).toBe(ana);
    });

    test("a taken id is not given to another PSU", async () => {
      const session = await begun();
      await expect(signIns.begin(session, mihai, now)).rejects.toThrow();
    });
  });

  describe("SCA is completed", () => {
    test("once of 20 at a time, into one session", async () => {
      const session = await challenged();
      const opened: SessionHash[] = [];
      const once = () => {
        const next = newSession();
        opened.push(next);
        return signIns.complete({ session, opened: next, judged: one, at: now });
      };
      expect(await winners(20, once)).toBe(1);
      const alive = await Promise.all(opened.map((one) => touch(one)));
      expect(alive.filter((one) => one !== undefined)).toHaveLength(1);
      expect(await touch(session)).toBeUndefined();
    });

    test("only with the code sent last, while it runs", async () => {
      const session = await challenged();
      const complete = (codeFingerprint: string, at = now) =>
        signIns.complete({ session, opened: newSession(), judged: { codeFingerprint }, at });
      expect(await complete("another")).toBe(false);
      expect(await complete("one", minutesOn(5))).toBe(false);
      await signIns.startChallenge(session, { ...challenge, codeFingerprint: "two" }, 4, now);
      expect(await complete("one")).toBe(false);
      expect(await complete("two", minutesOn(4.99))).toBe(true);
    });

    test("not after the sign-in was given up, and not from a session that is signed in", async () => {
      const [given, done] = [await challenged(), await signedIn()];
      await signIns.revoke(given, now);
      for (const session of [given, done, newSession()]) {
        expect(
          await signIns.complete({ session, opened: newSession(), judged: one, at: now }),
        ).toBe(false);
        expect(await signIns.startChallenge(session, challenge, 4, now)).toBe(false);
      }
    });

    test("a code that went nowhere proves nothing and counts; a newer one stays", async () => {
      const session = await challenged();
      await signIns.withdrawCode(session, "another");
      expect(await touch(session)).toMatchObject({ challenge });
      await signIns.withdrawCode(session, "one");
      expect(await touch(session)).not.toHaveProperty("challenge");
      expect(await touch(session)).toMatchObject({ codesSent: 1 });
      const proof = { session, opened: newSession(), judged: one, at: now };
      expect(await signIns.complete(proof)).toBe(false);
    });

    test("P6: of 20 parallel requests for a code 4 send one", async () => {
      const session = await begun();
      expect(await winners(20, () => signIns.startChallenge(session, challenge, 4, now))).toBe(4);
    });
  });

  test("P12: sign-out against any number of requests: afterwards the session is dead", async () => {
    for (let round = 0; round < 20; round += 1) {
      const session = await signedIn();
      await Promise.all([
        touch(session),
        touch(session),
        signIns.revoke(session, now),
        touch(session),
      ]);
      expect(await touch(session)).toBeUndefined();
    }
  });

  test("P12: sign-out against the completion of SCA: the pending session opens no second one", async () => {
    for (let round = 0; round < 20; round += 1) {
      const [session, opened] = [await challenged(), newSession()];
      const [completed] = await Promise.all([
        signIns.complete({ session, opened, judged: one, at: now }),
        signIns.revoke(session, now),
      ]);
      expect((await touch(opened)) !== undefined).toBe(completed);
      expect(await touch(session)).toBeUndefined();
    }
  });
});

describe("a passkey in the bank's own channel", () => {
  const signIns = signInStore(database.db);

  const newSession = () => crypto.randomUUID() as string as SessionHash;
  const one = { codeFingerprint: "one" };
  const challenge = { ...one, expiresAt: minutesOn(5) };
  const touch = (session: SessionHash) =>
    signIns.touch(session, { inactivityMinutes: 5, sessionMinutes: 60 }, now);

  async function begun(): Promise<SessionHash> {
    const session = newSession();
    await signIns.begin(session, ana, now);
    return session;
  }

  async function challenged(): Promise<SessionHash> {
    const session = await begun();
    await signIns.startChallenge(session, challenge, 4, now);
    return session;
  }

  async function signedIn(): Promise<SessionHash> {
    const [session, opened] = [await challenged(), newSession()];
    await signIns.complete({ session, opened, judged: one, at: now });
    return opened;
  }

  describe("a passkey's challenge", () => {
    const open = { nonce: "first", expiresAt: minutesOn(5) };
    const asked = async () => {
      const session = await begun();
      expect(await signIns.startPasskeyChallenge(session, open, now)).toBe(true);
      return session;
    };
    const complete = (session: SessionHash, passkeyNonce: string, at = now) =>
      signIns.complete({ session, opened: newSession(), judged: { passkeyNonce }, at });

    test("P6: completes SCA once of 20 at a time, while it runs and no newer one is open", async () => {
      const session = await asked();
      expect(await touch(session)).toMatchObject({ passkeyChallenge: open });
      expect(await complete(session, "another")).toBe(false);
      expect(await complete(session, "first", minutesOn(5))).toBe(false);
      await signIns.startPasskeyChallenge(session, { ...open, nonce: "second" }, now);
      expect(await complete(session, "first")).toBe(false);
      expect(await winners(20, () => complete(session, "second", minutesOn(4.99)))).toBe(1);
    });

    test("P6: is not taken for a code, nor a code for it, and without one nothing is proved", async () => {
      const [coded, keyed, neither] = [await challenged(), await asked(), await begun()];
      expect(await complete(coded, "one")).toBe(false);
      const judged = { codeFingerprint: "first" };
      expect(
        await signIns.complete({ session: keyed, opened: newSession(), judged, at: now }),
      ).toBe(false);
      expect(await complete(neither, "first")).toBe(false);
    });

    test("is opened for no session that is over, signed in, or of an authorisation", async () => {
      const [over, done, foreign] = [await begun(), await signedIn(), newSession()];
      await signIns.revoke(over, now);
      await psuSessionStore(database.db).open(foreign, ana, now);
      for (const session of [over, done, foreign]) {
        expect(await signIns.startPasskeyChallenge(session, open, now)).toBe(false);
      }
    });
  });
});

describe("a session at an authorisation", () => {
  const sessions = psuSessionStore(database.db);

  let opened = 0;
  async function open(): Promise<string> {
    opened += 1;
    await sessions.open(`session-${opened}`, ana, now);
    return `session-${opened}`;
  }
  const limits = { inactivityMinutes: 5, sessionMinutes: 15 };
  const touch = (hash: string, minutes: number) => sessions.touch(hash, limits, minutesOn(minutes));
  const second = 1 / 60;

  test("RTS 4(3)(d): a session lives for 5 minutes without activity and not a second longer", async () => {
    expect(await touch(await open(), 5 - second)).toBe(ana);
    expect(await touch(await open(), 5)).toBe(ana);
    expect(await touch(await open(), 5 + second)).toBeUndefined();
  });

  test("activity prolongs the session, up to its longest life", async () => {
    const hash = await open();
    for (const minute of [4, 8, 12, 15]) expect(await touch(hash, minute)).toBe(ana);
    expect(await touch(hash, 15 + second)).toBeUndefined();
  });

  test("RTS 4(3)(d): what a page asks by itself prolongs nothing", async () => {
    const hash = await open();
    for (const minute of [4, 5])
      expect(await sessions.find(hash, limits, minutesOn(minute))).toBe(ana);
    expect(await sessions.find(hash, limits, minutesOn(5 + second))).toBeUndefined();
    expect(await touch(hash, 5 + second)).toBeUndefined();
  });

  test("asking for a dead session does not revive it", async () => {
    const hash = await open();
    expect(await touch(hash, 6)).toBeUndefined();
    expect(await touch(hash, 5 + second)).toBeUndefined();
  });

  test("a slow request does not turn the last activity back", async () => {
    const hash = await open();
    await touch(hash, 4);
    await touch(hash, 1);
    expect(await touch(hash, 8)).toBe(ana);
  });

  test("P12: a revoked session is dead at once, and stays as it was revoked", async () => {
    const hash = await open();
    await sessions.revoke(hash, minutesOn(1));
    expect(await touch(hash, 1)).toBeUndefined();
    await sessions.revoke(hash, minutesOn(2));
    const rows = await database.sql`select (revoked_at = ${minutesOn(1).toISOString()}) as first
    from psu_session where id_hash = ${hash}`;
    expect(rows).toEqual([{ first: true }]);
  });

  test("P12: revoking one session leaves the others", async () => {
    const [ended, other] = [await open(), await open()];
    await sessions.revoke(ended, now);
    expect(await touch(other, 1)).toBe(ana);
  });

  test("an unknown session is nobody's, and a taken id is not given to another PSU", async () => {
    expect(await touch("unknown", 0)).toBeUndefined();
    const hash = await open();
    await expect(sessions.open(hash, mihai, now)).rejects.toThrow();
    expect(await touch(hash, 1)).toBe(ana);
  });
});
