import { beforeEach, describe, expect, test } from "vitest";
import type {
  Authorisation,
  Challenge,
  FailureReason,
  ScaStatus,
} from "@/lib/domain/authorisation";
import { settleOverdue } from "@/lib/domain/overdue";
import {
  type AccountId,
  type AuthorisationId,
  newAuthorisationId,
  type PaymentId,
  type PsuId,
} from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { fundsConsentStore } from "./funds";
import { overdue } from "./overdue";
import {
  accountOne,
  ana,
  challenged,
  challengedPayment,
  exampleTpp,
  mihai,
  minutesOn,
  now,
  openMax,
  otherTpp,
  payer,
  receivedConsent,
  testStores,
  today,
  tokenAlive,
  winners,
} from "./testing";

const { database, stores } = await testStores();

const linkHash = "link";

describe("an authorisation", () => {
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
  const take = (which: AuthorisationId, at = now) =>
    stores.authorisations.takeAttempt(which, 5, at);
  const signIn = (which: AuthorisationId, at = now) =>
    stores.authorisations.authenticate(which, ana, at);
  const start = (which: AuthorisationId, at = now) =>
    stores.authorisations.startChallenge(which, [accountOne], { ...challenge, linkHash }, 4, at);

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

  describe("giveBackAttempt", () => {
    test("takes one attempt off the count, not the failures before it, and never more than there were", async () => {
      await take(id);
      await take(id);
      const counts: unknown[] = [];
      for (let times = 0; times < 3; times += 1) {
        await stores.authorisations.giveBackAttempt(id, now);
        counts.push((await find(id))?.failedAttempts);
      }
      expect(counts).toEqual([1, 0, 0]);
    });

    test.each(["finalised", "failed"] as const)("nothing once it is %s", async (scaStatus) => {
      const decided = await inserted({ scaStatus, psuId: ana, failedAttempts: 2 });
      await stores.authorisations.giveBackAttempt(decided, now);
      expect((await find(decided))?.failedAttempts).toBe(2);
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
      const linked = { ...next, linkHash };
      expect(await stores.authorisations.startChallenge(id, [], linked, 4, now)).toBe(true);
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
    const redirectUris = {
      redirectUri: "https://tpp.example/open",
      nokRedirectUri: "https://tpp.example/nok",
    };
    const isOpen = (uri = redirectUris.redirectUri, tppId = exampleTpp.id, at = now) =>
      stores.authorisations.isOpenRedirectUri(tppId, uri, at);

    test("O3: the redirect URI of an open authorisation, letter for letter, of this TPP only", async () => {
      expect(await isOpen()).toBe(false);
      const id = await inserted({ redirectUris });
      await inserted({ redirectUris });
      expect(await isOpen()).toBe(true);
      for (const uri of [redirectUris.nokRedirectUri, `${redirectUris.redirectUri}/`, ""]) {
        expect(await isOpen(uri)).toBe(false);
      }
      expect(await isOpen(redirectUris.redirectUri, otherTpp.id)).toBe(false);
      expect(await isOpen(redirectUris.redirectUri, exampleTpp.id, minutesOn(15))).toBe(false);
      await stores.authorisations.fail({ id, because: "cancelled", on: today, at: now });
      expect(await isOpen()).toBe(true);
    });

    test("O3: not once it is decided", async () => {
      const redirectUri = "https://tpp.example/decided";
      const id = await inserted({ redirectUris: { redirectUri } });
      await stores.authorisations.fail({ id, because: "cancelled", on: today, at: now });
      expect(await isOpen(redirectUri)).toBe(false);
    });
  });
});

describe("a passkey's challenge", () => {
  const other = "account-2" as AccountId;
  const open = (nonce: string) => ({ nonce, expiresAt: minutesOn(5) });
  const linked = (nonce: string) => ({ ...open(nonce), linkHash });
  const evidence = {
    text: "what was signed",
    credentialId: "credential",
    publicKey: "key",
    clientDataJson: "client",
    authenticatorData: "authenticator",
    signature: "signature",
  };
  const code = { codeFingerprint: "another", expiresAt: minutesOn(5), linkHash };

  /** A consent whose PSU was sent a code, and is asked for a passkey. */
  async function asked(nonce = "nonce") {
    const decision = await challenged(stores);
    const { authorisationId: id } = decision;
    const { authorisations } = stores;
    const begun = await authorisations.startPasskeyChallenge(id, [accountOne], linked(nonce), now);
    expect(begun).toBe(true);
    const { consentId, psuId, grantedAccounts } = decision;
    const yes = { authorisationId: id, consentId, psuId, grantedAccounts, on: today };
    const byPasskey = (passkeyNonce = nonce, at = now) =>
      authorisations.finaliseAccountConsent({ ...yes, passkeyNonce, evidence, at });
    const found = () => authorisations.find(id);
    return { id, decision, byPasskey, found, authorisations };
  }

  test("a passkey's challenge leaves the code that is waited for, and takes its own one's place", async () => {
    const { id, decision, byPasskey, found, authorisations } = await asked("first");
    expect(await found()).toMatchObject({ challenge: {}, passkeyChallenge: open("first") });
    await authorisations.startPasskeyChallenge(id, [accountOne], linked("second"), now);
    expect(await byPasskey("first")).toBe(false);
    expect(await byPasskey("second")).toBe(true);
    expect(await authorisations.finaliseAccountConsent(decision)).toBe(false);
  });

  test("P6: what was signed is kept with the yes, and with nothing else", async () => {
    const kept = (id: string) =>
      database.sql`select * from passkey_evidence where authorisation_id = ${id}`;
    const { id, byPasskey, decision } = await asked();
    await byPasskey("another");
    await byPasskey("nonce", minutesOn(5));
    expect(await kept(id)).toEqual([]);
    await byPasskey();
    expect(await kept(id)).toHaveLength(1);
    const coded = await asked();
    await stores.authorisations.finaliseAccountConsent(coded.decision);
    expect(await kept(coded.id)).toEqual([]);
    expect(decision.psuId).toBe((await kept(id))[0]?.["psu_id"]);
  });

  test("a passkey's challenge that has run out finalises nothing", async () => {
    const { byPasskey } = await asked();
    expect(await byPasskey("nonce", minutesOn(5))).toBe(false);
    expect(await byPasskey("nonce", minutesOn(4))).toBe(true);
  });

  test("another code leaves it as long as the same is selected", async () => {
    const { id, found, authorisations } = await asked();
    await authorisations.startChallenge(id, [accountOne], code, 4, now);
    expect((await found())?.passkeyChallenge).toEqual(open("nonce"));
    await authorisations.startChallenge(id, [accountOne, other], code, 4, now);
    expect((await found())?.passkeyChallenge).toBeUndefined();
  });

  test("P7: what is open for something else ends, whichever of the challenges begins", async () => {
    const { id, found, authorisations } = await asked();
    const changed = { linkHash: "what it is now" };
    await authorisations.startChallenge(id, [accountOne], { ...code, ...changed }, 4, now);
    expect(await found()).toMatchObject({ ...changed, challenge: {} });
    expect((await found())?.passkeyChallenge).toBeUndefined();
    await authorisations.startPasskeyChallenge(id, [accountOne], linked("nonce"), now);
    expect(await found()).toMatchObject({ linkHash, passkeyChallenge: {} });
    expect((await found())?.challenge).toBeUndefined();
    const approval = { ...open("approval"), ...changed };
    await authorisations.startApproval(id, [accountOne], approval, now);
    expect(await found()).toMatchObject({ ...changed, approval: open("approval") });
    expect((await found())?.passkeyChallenge).toBeUndefined();
  });

  test("P6: a submission for which no text is left ends no code that another one has sent meanwhile", async () => {
    const { id, found, authorisations } = await asked();
    const without = { linkHash: undefined };
    expect(await authorisations.select(id, [accountOne], now, without)).toBe(false);
    expect(await found()).toMatchObject({ linkHash, challenge: {} });
  });

  test("P7: of 20 requests that find what was asked changed, one ends the challenges", async () => {
    const { id, found, authorisations } = await asked();
    const end = () => authorisations.select(id, [accountOne], now, { linkHash });
    expect(await winners(20, end)).toBe(1);
    expect((await found())?.challenge).toBeUndefined();
    await authorisations.startChallenge(id, [accountOne], { ...code, linkHash: "new" }, 4, now);
    expect(await end()).toBe(false);
    expect(await found()).toMatchObject({ challenge: { codeFingerprint: "another" } });
  });

  test("it is for what is selected now, of what has begun and runs", async () => {
    const { id, authorisations } = await asked();
    const start = (selection: readonly AccountId[], at = now) =>
      authorisations.startPasskeyChallenge(id, selection, linked("late"), at);
    expect(await start([other])).toBe(false);
    expect(await start([accountOne], minutesOn(15))).toBe(false);
    await authorisations.fail({ id, because: "cancelled", on: today, at: now });
    expect(await start([accountOne])).toBe(false);
  });

  test("a new selection ends both challenges, and so does the end", async () => {
    const one = await asked();
    expect(await stores.authorisations.select(one.id, [other], now)).toBe(true);
    const selected = await one.found();
    expect(selected).toMatchObject({ scaStatus: "started", selection: [other] });
    expect([selected?.challenge, selected?.passkeyChallenge]).toEqual([undefined, undefined]);
    const ended = await asked();
    await stores.authorisations.fail({ id: ended.id, because: "cancelled", on: today, at: now });
    expect((await ended.found())?.passkeyChallenge).toBeUndefined();
    expect(await stores.authorisations.select(ended.id, [other], now)).toBe(false);
    expect(await stores.authorisations.select(one.id, [other], minutesOn(15))).toBe(false);
  });
});

test("what the app is asked is found by the provider's id of it, whatever its form", async () => {
  const { authorisationId } = await challenged(stores);
  const { authorisations } = stores;
  const id = `urn:ciba:${"x".repeat(300)}`;
  const approval = { nonce: "asked", expiresAt: minutesOn(5), linkHash };
  const request = { id, pollAt: now };
  await authorisations.startApproval(authorisationId, [accountOne], { ...approval, request }, now);
  expect(await authorisations.findByApprovalRequest(id)).toMatchObject({ id: authorisationId });
  expect(await authorisations.findByApprovalRequest("another")).toBeUndefined();
});

test("a renewal begins with the accounts of the consent authorised last, unless the PSU has ended one since", async () => {
  const { authorisations, consents } = stores;
  const psuId = crypto.randomUUID() as string as PsuId;
  const earlier = (tppId = exampleTpp.id) => authorisations.earlierSelection(tppId, psuId);
  expect(await earlier()).toEqual([]);
  const first = await challenged(stores, { psuId });
  await authorisations.finaliseAccountConsent(first);
  await challenged(stores, { psuId });
  expect(await earlier()).toEqual([accountOne]);
  expect(await earlier(otherTpp.id)).toEqual([]);
  const end = { from: "valid", on: today, at: now } as const;
  await consents.end({ ...end, consentId: first.consentId, to: "expired" });
  expect(await earlier()).toEqual([accountOne]);
  const second = { ...(await challenged(stores, { psuId })), at: minutesOn(1) };
  await authorisations.finaliseAccountConsent(second);
  const once = await challenged(stores, { psuId, recurringIndicator: false });
  await authorisations.finaliseAccountConsent({ ...once, at: minutesOn(2) });
  const revoked = { ...end, to: "revokedByPsu", consentId: second.consentId } as const;
  await consents.end({ ...revoked, at: minutesOn(3) });
  expect(await earlier()).toEqual([]);
  const last = await challenged(stores, { psuId });
  await authorisations.finaliseAccountConsent({ ...last, at: minutesOn(4) });
  expect(await earlier()).toEqual([accountOne]);
});

describe("a question about what the app has answered", () => {
  async function asked() {
    const { authorisationId: id } = await challenged(stores);
    const { authorisations } = stores;
    const request = { id: "request", pollAt: now };
    const approval = { nonce: "nonce", expiresAt: minutesOn(5), request, linkHash };
    await authorisations.startApproval(id, [accountOne], approval, now);
    const take = (pollAt: Date, isNotified = false) =>
      authorisations.takeApprovalPoll(id, { nonce: "nonce", pollAt, isNotified }, now);
    const found = async () => (await authorisations.find(id))?.approval?.request?.pollAt;
    return { id, authorisations, take, found };
  }

  test("is put by one of ten at once, and by whom the provider has notified", async () => {
    const { take } = await asked();
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(minutesOn(1))));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await take(minutesOn(2), true)).toBe(true);
  });

  test("postpones the next, and ends the request, unless somebody has asked since", async () => {
    const { id, authorisations, take, found } = await asked();
    const [first, second] = [minutesOn(1), minutesOn(2)];
    const poll = (pollAt: Date) => ({ nonce: "nonce", pollAt });
    await take(first);
    await take(second, true);
    await authorisations.postponeApprovalPoll(id, poll(first), minutesOn(4), now);
    await authorisations.endApproval(id, poll(first), now);
    expect(await found()).toEqual(second);
    await authorisations.postponeApprovalPoll(id, poll(second), minutesOn(4), now);
    expect(await found()).toEqual(minutesOn(4));
    await authorisations.endApproval(id, poll(minutesOn(4)), now);
    expect((await authorisations.find(id))?.approval).toBeUndefined();
  });
});

describe("a code that was not delivered", () => {
  /** An authorisation whose first code was sent. */
  async function sent() {
    const decision = await challenged(stores);
    const { authorisationId: id, codeFingerprint } = decision;
    if (codeFingerprint === undefined) throw new Error("no code");
    const { authorisations } = stores;
    const send = (fingerprint: string) => {
      const challenge = { codeFingerprint: fingerprint, expiresAt: minutesOn(5), linkHash };
      return authorisations.startChallenge(id, [accountOne], challenge, 4, now);
    };
    const withdraw = (fingerprint: string, at = now) =>
      authorisations.withdrawCode(id, fingerprint, 2, at);
    return { decision, codeFingerprint, send, withdraw, found: () => authorisations.find(id) };
  }

  test("a code that went nowhere confirms nothing and does not count as sent", async () => {
    const { decision, codeFingerprint, withdraw, found } = await sent();
    await withdraw(codeFingerprint);
    expect(await found()).toMatchObject({ scaStatus: "started", codesSent: 0 });
    expect((await found())?.challenge).toBeUndefined();
    expect(await stores.authorisations.finaliseAccountConsent(decision)).toBe(false);
  });

  test("an app that could not be asked counts as little, and the request before it stands", async () => {
    const { decision, found } = await sent();
    const { authorisations } = stores;
    const { authorisationId: id } = decision;
    const request = { id: "request", pollAt: minutesOn(1) };
    const approval = { nonce: "nonce", expiresAt: minutesOn(5), request };
    const asked = { ...approval, linkHash };
    const count = (account: AccountId) =>
      authorisations.countAppRequest(id, [account], linkHash, 2, now);
    expect(await authorisations.startApproval(id, [accountOne], asked, now)).toBe(true);
    const before = await found();
    expect(before).toMatchObject({ approval, codesSent: 1 });
    expect(await count(accountOne)).toBe(true);
    expect(await count(accountOne)).toBe(false);
    await authorisations.uncountAppRequest(id, 2, now);
    expect(await found()).toEqual(before);
    // What waits in the app is about the accounts that were shown.
    await count("account-2" as AccountId);
    expect((await found())?.approval).toBeUndefined();
    expect(await authorisations.startApproval(id, [accountOne], asked, now)).toBe(false);
  });

  test("a newer code stays", async () => {
    const { codeFingerprint, send, withdraw, found } = await sent();
    await send("newer");
    await withdraw(codeFingerprint);
    expect(await found()).toMatchObject({ challenge: { codeFingerprint: "newer" }, codesSent: 1 });
  });

  test("so often and no more: then it counts, and a gateway that is wrong sends no flood", async () => {
    const { codeFingerprint, send, withdraw, found } = await sent();
    await withdraw(codeFingerprint);
    const tried = async (nth: number) => {
      const started = await send(`code ${nth}`);
      if (started) await withdraw(`code ${nth}`);
      return started;
    };
    const tries = await Promise.all(Array.from({ length: 50 }, (_, nth) => tried(nth)));
    for (let nth = 50; nth < 60; nth += 1) tries.push(await tried(nth));
    // Four that count, and one more that does not: the first was the other.
    expect(tries.filter(Boolean)).toHaveLength(5);
    expect((await found())?.codesSent).toBe(4);
  });

  test("nothing of what is decided or over changes", async () => {
    const [yes, late] = [await sent(), await sent()];
    await stores.authorisations.finaliseAccountConsent(yes.decision);
    await yes.withdraw(yes.codeFingerprint);
    await late.withdraw(late.codeFingerprint, minutesOn(15));
    expect((await yes.found())?.codesSent).toBe(1);
    expect(await late.found()).toMatchObject({ codesSent: 1, challenge: {} });
  });
});

describe("the window of an authorisation", () => {
  /** A window that ends at minute 15. */
  async function open() {
    const decision = await challenged(stores);
    const id = decision.authorisationId;
    const extend = (until: number, at: number) =>
      stores.authorisations.extendWindow(id, minutesOn(until), minutesOn(at));
    return { id, decision, extend };
  }
  const fail = (id: AuthorisationId, because: "window-over" | "cancelled", at: number) =>
    stores.authorisations.fail({ id, because, on: today, at: minutesOn(at) });
  const endOf = async (id: AuthorisationId) => (await stores.authorisations.find(id))?.expiresAt;

  test("a window that runs is extended, and its row comes back", async () => {
    const { id, extend } = await open();
    expect(await extend(29, 14.99)).toMatchObject({ id, expiresAt: minutesOn(29) });
    expect(await extend(40, 28)).toMatchObject({ expiresAt: minutesOn(40) });
    expect(await endOf(id)).toEqual(minutesOn(40));
  });

  test("never back: of two extensions the later end stays, whichever comes first", async () => {
    const { id, extend } = await open();
    await extend(20, 5);
    expect(await extend(18, 3)).toMatchObject({ expiresAt: minutesOn(20) });
    await Promise.all([21, 28, 24, 22].map((until) => extend(until, 10)));
    expect(await endOf(id)).toEqual(minutesOn(28));
  });

  test("one that is over is not", async () => {
    const { id, extend } = await open();
    expect(await extend(30, 15)).toBeUndefined();
    expect(await endOf(id)).toEqual(minutesOn(15));
  });

  test("one that is decided is not, by a yes or by a no", async () => {
    const [yes, no] = [await open(), await open()];
    await stores.authorisations.finaliseAccountConsent(yes.decision);
    await fail(no.id, "cancelled", 1);
    for (const { id, extend } of [yes, no]) {
      expect(await extend(30, 1)).toBeUndefined();
      expect(await endOf(id)).toEqual(minutesOn(15));
    }
  });

  test("an extended one does not fail because its first end has come; a cancelled one does", async () => {
    const { id, extend } = await open();
    await extend(29, 14);
    expect(await fail(id, "window-over", 28.99)).toBe(false);
    expect((await stores.authorisations.find(id))?.scaStatus).toBe("started");
    expect(await fail(id, "window-over", 29)).toBe(true);
    const other = await open();
    await other.extend(29, 14);
    expect(await fail(other.id, "cancelled", 20)).toBe(true);
  });

  test("extended at its end against ended at its end, on two servers: one of them wins", async () => {
    const won = [];
    for (let round = 0; round < 20; round += 1) {
      const { id, decision, extend } = await open();
      const ends = () => fail(id, "window-over", 15);
      const goesOn = async () => (await extend(29, 14.999)) !== undefined;
      const [one, other] = await Promise.all(
        round % 2 === 0 ? [ends(), goesOn()] : [goesOn(), ends()],
      );
      expect([one, other].filter(Boolean)).toHaveLength(1);
      const extended = round % 2 === 0 ? other : one;
      won.push(extended);
      const found = await stores.authorisations.find(id);
      expect(found?.scaStatus).toBe(extended ? "started" : "failed");
      expect(found?.expiresAt).toEqual(minutesOn(extended ? 29 : 15));
      const consent = await stores.consents.find(decision.consentId);
      expect(consent?.status).toBe(extended ? "received" : "rejected");
    }
  });

  test("the sweep ends none that was extended after it was found overdue", async () => {
    const { id, extend } = await open();
    const found = overdue(database.db);
    const ports = {
      ...stores,
      fundsConsents: fundsConsentStore(database.db),
      profile: aspspProfile,
      overdue: {
        ...found,
        authorisations: async (at: Date, limit: number) => {
          const rows = await found.authorisations(at, limit);
          expect(rows.map((row) => row.id)).toContain(id);
          await extend(29, 14.999);
          return rows;
        },
      },
    };
    await settleOverdue(ports, minutesOn(15));
    expect((await stores.authorisations.find(id))?.scaStatus).toBe("started");
  });
});

describe("an authorisation that fails", () => {
  test("P10: the PSU's no rejects the consent and takes the tokens", async () => {
    const decision = await challenged(stores);
    const neighbour = await challenged(stores);
    const { authorisationId, consentId } = decision;
    expect(
      await stores.authorisations.fail({
        id: authorisationId,
        because: "cancelled",
        on: today,
        at: now,
      }),
    ).toBe(true);
    const authorisation = await stores.authorisations.find(authorisationId);
    expect(authorisation?.scaStatus).toBe("failed");
    expect(authorisation?.challenge).toBeUndefined();
    expect((await stores.consents.find(consentId))?.status).toBe("rejected");
    expect(await tokenAlive(stores, decision)).toBe(false);
    expect(await tokenAlive(stores, neighbour)).toBe(true);
    expect((await stores.consents.find(neighbour.consentId))?.status).toBe("received");
  });

  test("the end of the window rejects it too", async () => {
    const { authorisationId } = await challenged(stores);
    expect(
      await stores.authorisations.fail({
        id: authorisationId,
        because: "cancelled",
        on: today,
        at: minutesOn(16),
      }),
    ).toBe(true);
  });

  test("a consent that its TPP has deleted stays deleted", async () => {
    const { authorisationId, consentId } = await challenged(stores);
    await database.sql`update account_consent set status = 'terminatedByTpp' where id = ${consentId}`;
    expect(
      await stores.authorisations.fail({
        id: authorisationId,
        because: "cancelled",
        on: today,
        at: now,
      }),
    ).toBe(true);
    expect((await stores.consents.find(consentId))?.status).toBe("terminatedByTpp");
  });

  test("it is kept when the no was said", async () => {
    const { authorisationId } = await challenged(stores);
    await stores.authorisations.fail({
      id: authorisationId,
      because: "cancelled",
      on: today,
      at: minutesOn(3),
    });
    const [row] = await database.sql`
    select decided_at = ended_at and ended_at = ${minutesOn(3).toISOString()} as kept
    from authorisation a join account_consent c on c.authorisation_id = a.id
    where a.id = ${authorisationId}`;
    expect(row).toEqual({ kept: true });
  });

  test("a no is heard once", async () => {
    const { authorisationId } = await challenged(stores);
    expect(
      await winners(50, () =>
        stores.authorisations.fail({
          id: authorisationId,
          because: "cancelled",
          on: today,
          at: now,
        }),
      ),
    ).toBe(1);
  });

  test("no no after the PSU's yes", async () => {
    const decision = await challenged(stores);
    await stores.authorisations.finaliseAccountConsent(decision);
    expect(
      await stores.authorisations.fail({
        id: decision.authorisationId,
        because: "cancelled",
        on: today,
        at: now,
      }),
    ).toBe(false);
    expect((await stores.consents.find(decision.consentId))?.status).toBe("valid");
    expect(await tokenAlive(stores, decision)).toBe(true);
  });

  describe("a payment", () => {
    const failed = async (because: FailureReason) => {
      const decision = await challengedPayment(stores, await payer(database.db));
      const { authorisationId: id, paymentId } = decision;
      const neighbour = await challengedPayment(stores, await payer(database.db));
      expect(await stores.authorisations.fail({ id, because, on: today, at: minutesOn(16) })).toBe(
        true,
      );
      return { id, paymentId, neighbour };
    };
    const find = (id: PaymentId) => stores.payments.findOfTpp(id, exampleTpp.id);

    const reasons: readonly FailureReason[] = [
      ...["cancelled", "too-many-tries", "psu-blocked", "window-over"],
      ...["withdrawn-by-tpp", "not-own-account", "account-gone", "last-day-over"],
      ...["tpp-blocked", "opted-out", "customer-blocked"],
    ] as const;
    test.each(reasons)("is rejected because of the same: %s", async (because) => {
      const { id, paymentId, neighbour } = await failed(because);
      expect(await stores.authorisations.find(id)).toMatchObject({
        scaStatus: "failed",
        failedBecause: because,
      });
      const payment = await find(paymentId);
      expect(payment).toMatchObject({ status: "RJCT", reason: because, statusAt: minutesOn(16) });
      expect(payment?.psuId ?? payment?.debit).toBeUndefined();
      expect((await find(neighbour.paymentId))?.status).toBe("RCVD");
    });

    test("is not authorised after the no", async () => {
      const decision = await challengedPayment(stores, await payer(database.db));
      const { authorisationId: id, paymentId } = decision;
      await stores.authorisations.fail({ id, because: "cancelled", on: today, at: now });
      expect(await stores.authorisations.finalisePayment(decision)).toBe("too-late");
      expect((await find(paymentId))?.status).toBe("RJCT");
    });

    test("is not rejected after the PSU's yes", async () => {
      const decision = await challengedPayment(stores, await payer(database.db));
      const { authorisationId: id, paymentId } = decision;
      expect(await stores.authorisations.finalisePayment(decision)).toBe("finalised");
      const no = { id, because: "window-over", on: today, at: minutesOn(20) } as const;
      expect(await stores.authorisations.fail(no)).toBe(false);
      expect((await find(paymentId))?.status).toBe("ACTC");
    });

    test("that is rejected already keeps its reason", async () => {
      const { authorisationId: id, paymentId } = await challengedPayment(
        stores,
        await payer(database.db),
      );
      await database.sql`update payment_state set status = 'RJCT', reason = 'account-gone'
      where payment_id = ${paymentId}`;
      const no = { id, because: "cancelled", on: today, at: now } as const;
      expect(await stores.authorisations.fail(no)).toBe(true);
      expect(await find(paymentId)).toMatchObject({ status: "RJCT", reason: "account-gone" });
    });

    test("that has been authorised is not taken back, whatever its authorisation says", async () => {
      const ana = await payer(database.db);
      const { authorisationId: id, paymentId } = await challengedPayment(stores, ana);
      await database.sql`update payment_state set status = 'ACTC', psu_id = ${ana.psuId},
      authorised_at = now(), debit_account_id = ${ana.accountId}, debit_currency = 'EUR', debit_minor = 1, fee_minor = 0
      where payment_id = ${paymentId}`;
      const no = { id, because: "cancelled", on: today, at: now } as const;
      expect(await stores.authorisations.fail(no)).toBe(true);
      expect((await find(paymentId))?.status).toBe("ACTC");
    });
  });
});
