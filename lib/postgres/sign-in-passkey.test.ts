import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHash } from "@/lib/domain/sign-in/sign-in-store";
import { psuSessionStore } from "./psu-session-store";
import { ana, minutesOn, now, winners } from "./samples";
import { signInStore } from "./sign-in-store";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let signIns: ReturnType<typeof signInStore>;
beforeAll(async () => {
  database = await testDatabase();
  signIns = signInStore(database.db);
});
afterAll(() => database.close());

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
    expect(await signIns.complete({ session: keyed, opened: newSession(), judged, at: now })).toBe(
      false,
    );
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
