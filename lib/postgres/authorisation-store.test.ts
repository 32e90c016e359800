import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AuthorisationId, newAuthorisationId } from "@/lib/domain/identifiers";
import type { Authorisation, Challenge } from "@/lib/domain/sca/authorisation";
import type { ScaStatus } from "@/lib/domain/sca/sca-status";
import {
  accountOne,
  ana,
  exampleTpp,
  mihai,
  minutesOn,
  now,
  openMax,
  otherTpp,
  receivedConsent,
  type Stores,
  storesOf,
  today,
  winners,
} from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
  await stores.tpps.remember(otherTpp, now);
});
afterAll(() => database.close());

let id: AuthorisationId;
beforeEach(async () => {
  id = await inserted();
});

async function inserted(given: Partial<Authorisation> = {}): Promise<AuthorisationId> {
  const { consent, authorisation } = receivedConsent({}, given);
  await stores.consents.insert(consent, authorisation, openMax);
  return authorisation.id;
}

const challenge: Challenge = { codeFingerprint: "f".repeat(64), expiresAt: minutesOn(5) };
const inStatus = (scaStatus: ScaStatus) => inserted({ scaStatus, psuId: ana });
const find = (which: AuthorisationId) => stores.authorisations.find(which);
const take = (which: AuthorisationId, at = now) => stores.authorisations.takeAttempt(which, 5, at);
const signIn = (which: AuthorisationId, at = now) =>
  stores.authorisations.authenticate(which, ana, at);
const start = (which: AuthorisationId, at = now) =>
  stores.authorisations.startChallenge(which, [accountOne], challenge, 4, at);

describe("takeAttempt", () => {
  test("counts before the guess is judged", async () => {
    expect(await take(id)).toMatchObject({ id, failedAttempts: 1 });
    expect(await find(id)).toMatchObject({ failedAttempts: 1, scaStatus: "received" });
  });

  test("P5: of 100 parallel guesses exactly 5 are judged", async () => {
    expect(await winners(100, async () => (await take(id)) !== undefined)).toBe(5);
    expect((await find(id))?.failedAttempts).toBe(5);
    expect(await take(id)).toBeUndefined();
  });

  test("none once the window is over, to the millisecond", async () => {
    expect(await take(id, new Date(minutesOn(15).getTime() - 1))).toBeDefined();
    expect(await take(id, minutesOn(15))).toBeUndefined();
  });

  test.each(["finalised", "failed"] as const)("none once it is %s", async (decided) => {
    expect(await take(await inStatus(decided))).toBeUndefined();
  });

  test("none for an unknown authorisation", async () => {
    expect(await take(newAuthorisationId())).toBeUndefined();
  });
});

describe("authenticate", () => {
  test("binds the PSU, gives the attempt back and is psuAuthenticated", async () => {
    await take(id);
    expect(await signIn(id)).toBe(true);
    expect(await find(id)).toMatchObject({
      psuId: ana,
      failedAttempts: 0,
      scaStatus: "psuAuthenticated",
    });
  });

  test("gives back one attempt, not the failures before it", async () => {
    await take(id);
    await take(id);
    await signIn(id);
    expect((await find(id))?.failedAttempts).toBe(1);
  });

  test("a PSU who signs in again stays where they were", async () => {
    const started = await inserted({ scaStatus: "started", psuId: ana, challenge, codesSent: 1 });
    expect(await signIn(started)).toBe(true);
    expect(await find(started)).toMatchObject({ scaStatus: "started", challenge, codesSent: 1 });
  });

  test("P1: another PSU cannot take over, and their attempt stays counted", async () => {
    await signIn(id);
    await take(id);
    expect(await stores.authorisations.authenticate(id, mihai, now)).toBe(false);
    expect(await find(id)).toMatchObject({ psuId: ana, failedAttempts: 1 });
  });

  test("P1: of two PSUs who sign in at once, one is bound", async () => {
    let turn = 0;
    const psuIds = [ana, mihai] as const;
    const bound = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const psuId = turn++ % 2 === 0 ? psuIds[0] : psuIds[1];
        return (await stores.authorisations.authenticate(id, psuId, now)) ? psuId : undefined;
      }),
    );
    const names = new Set(bound.filter((name) => name !== undefined));
    expect([...names]).toEqual([(await find(id))?.psuId]);
  });

  test("not once the window is over", async () => {
    expect(await signIn(id, minutesOn(15))).toBe(false);
    expect((await find(id))?.psuId).toBeUndefined();
  });

  test.each(["finalised", "failed"] as const)("not once it is %s", async (decided) => {
    expect(await signIn(await inStatus(decided))).toBe(false);
  });
});

describe("startChallenge", () => {
  test("keeps selection and challenge, counts the code and is started", async () => {
    await signIn(id);
    expect(await start(id)).toBe(true);
    expect(await find(id)).toMatchObject({
      scaStatus: "started",
      selection: [accountOne],
      challenge,
      codesSent: 1,
    });
  });

  test("replaces the earlier challenge", async () => {
    await signIn(id);
    await start(id);
    const next = { codeFingerprint: "e".repeat(64), expiresAt: minutesOn(6) };
    expect(await stores.authorisations.startChallenge(id, [], next, 4, now)).toBe(true);
    expect(await find(id)).toMatchObject({ challenge: next, selection: [], codesSent: 2 });
  });

  test("P6: of 50 parallel requests exactly 4 codes go out", async () => {
    await signIn(id);
    expect(await winners(50, () => start(id))).toBe(4);
    expect((await find(id))?.codesSent).toBe(4);
  });

  test.each(["finalised", "failed"] as const)("not once it is %s", async (decided) => {
    expect(await start(await inStatus(decided))).toBe(false);
  });

  test("not before the PSU has signed in", async () => {
    expect(await start(id)).toBe(false);
    expect((await find(id))?.challenge).toBeUndefined();
  });

  test("not once the window is over", async () => {
    await signIn(id);
    expect(await start(id, minutesOn(15))).toBe(false);
  });
});

describe("isOpenRedirectUri", () => {
  const wayBack = {
    redirectUri: "https://tpp.example/open",
    nokRedirectUri: "https://tpp.example/nok",
  };
  const isOpen = (uri = wayBack.redirectUri, tppId = exampleTpp.id, at = now) =>
    stores.authorisations.isOpenRedirectUri(tppId, uri, at);

  test("O3: the redirect URI of an open authorisation, letter for letter, of this TPP only", async () => {
    expect(await isOpen()).toBe(false);
    const id = await inserted({ wayBack });
    await inserted({ wayBack });
    expect(await isOpen()).toBe(true);
    for (const uri of [wayBack.nokRedirectUri, `${wayBack.redirectUri}/`, ""]) {
      expect(await isOpen(uri)).toBe(false);
    }
    expect(await isOpen(wayBack.redirectUri, otherTpp.id)).toBe(false);
    expect(await isOpen(wayBack.redirectUri, exampleTpp.id, minutesOn(15))).toBe(false);
    await stores.authorisations.fail({ id, because: "cancelled", on: today, at: now });
    expect(await isOpen()).toBe(true);
  });

  test("O3: not once it is decided", async () => {
    const redirectUri = "https://tpp.example/decided";
    const id = await inserted({ wayBack: { redirectUri } });
    await stores.authorisations.fail({ id, because: "cancelled", on: today, at: now });
    expect(await isOpen(redirectUri)).toBe(false);
  });
});
