import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AccountConsentDecision } from "@/lib/domain/sca/authorisation-store";
import {
  ana,
  challenged,
  exampleTpp,
  mihai,
  minutesOn,
  now,
  otherTpp,
  type Stores,
  storesOf,
  today,
  tokenAlive,
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

const oneOff = { recurringIndicator: false } as const;
const finalise = (decision: AccountConsentDecision) =>
  stores.authorisations.finaliseAccountConsent(decision);
const statusOf = async ({ consentId }: AccountConsentDecision) =>
  (await stores.consents.find(consentId))?.status;
const scaStatusOf = async ({ authorisationId }: AccountConsentDecision) =>
  (await stores.authorisations.find(authorisationId))?.scaStatus;

async function expectUntouched(decision: AccountConsentDecision): Promise<void> {
  expect(await scaStatusOf(decision)).toBe("started");
  const consent = await stores.consents.find(decision.consentId);
  expect(consent).toMatchObject({ status: "received", grantedAccounts: [] });
  expect(consent?.psuId).toBeUndefined();
}

test("P6, RTS 4(1): of 50 parallel submits of the right code exactly one is accepted", async () => {
  const decision = await challenged(stores);
  expect(await winners(50, () => finalise(decision))).toBe(1);
  expect((await stores.consents.find(decision.consentId))?.grantedAccounts).toHaveLength(1);
});

test("the yes makes the consent valid, the authorisation final, and returns the taken attempt", async () => {
  const decision = await challenged(stores, oneOff);
  expect(await stores.authorisations.find(decision.authorisationId)).toMatchObject({
    failedAttempts: 1,
  });
  expect(await finalise(decision)).toBe(true);
  const authorisation = await stores.authorisations.find(decision.authorisationId);
  expect(authorisation).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
  expect(authorisation?.challenge).toBeUndefined();
  expect(await stores.consents.find(decision.consentId)).toMatchObject({
    status: "valid",
    psuId: ana,
    authorisedAt: now,
    lastActionDate: today,
  });
  expect(await tokenAlive(stores, decision)).toBe(true);
});

describe("nothing changes", () => {
  const refused: readonly [string, (right: AccountConsentDecision) => AccountConsentDecision][] = [
    ["P6: with the code of another challenge", (d) => ({ ...d, codeFingerprint: "another" })],
    ["P1: for another PSU", (d) => ({ ...d, psuId: mihai })],
    ["P6: once the code is too old", (d) => ({ ...d, at: minutesOn(5) })],
    ["for another authorisation", (d) => ({ ...d, authorisationId: crypto.randomUUID() as never })],
  ];
  test.each(refused)("%s", async (_, changed) => {
    const decision = await challenged(stores);
    expect(await finalise(changed(decision))).toBe(false);
    await expectUntouched(decision);
  });

  test("to a consent that another authorisation is for", async () => {
    const [decision, other] = [await challenged(stores), await challenged(stores)];
    expect(await finalise({ ...decision, consentId: other.consentId })).toBe(false);
    await expectUntouched(decision);
    await expectUntouched(other);
  });

  test("once the window is over, though the code would still run", async () => {
    const decision = await challenged(stores);
    await database.sql`update authorisation set code_expires_at = expires_at + interval '1 hour'
      where id = ${decision.authorisationId}`;
    expect(await finalise({ ...decision, at: minutesOn(15) })).toBe(false);
    await expectUntouched(decision);
  });

  test("in an authorisation of a payment, whatever its id", async () => {
    const decision = await challenged(stores);
    await database.sql`update authorisation set kind = 'PIS' where id = ${decision.authorisationId}`;
    expect(await finalise(decision)).toBe(false);
    await expectUntouched(decision);
  });

  test("P6: with a code that a newer one has replaced", async () => {
    const decision = await challenged(stores);
    const next = { codeFingerprint: "newer", expiresAt: minutesOn(5) };
    await stores.authorisations.startChallenge(decision.authorisationId, [], next, 4, now);
    expect(await finalise(decision)).toBe(false);
    await expectUntouched(decision);
  });

  test("when the PSU is signed in but has not been asked for a code", async () => {
    const decision = await challenged(stores);
    await database.sql`update authorisation set sca_status = 'psuAuthenticated'
      where id = ${decision.authorisationId}`;
    expect(await finalise(decision)).toBe(false);
    expect(await statusOf(decision)).toBe("received");
  });

  test("when the consent is no longer received", async () => {
    const decision = await challenged(stores);
    await database.sql`update account_consent set status = 'terminatedByTpp'
      where id = ${decision.consentId}`;
    expect(await finalise(decision)).toBe(false);
    expect(await scaStatusOf(decision)).toBe("started");
    expect(await statusOf(decision)).toBe("terminatedByTpp");
  });

  test("when no account is granted", async () => {
    const decision = await challenged(stores);
    await expect(finalise({ ...decision, grantedAccounts: [] })).rejects.toThrow();
    await expectUntouched(decision);
  });

  test("of an older consent, when the new one fails", async () => {
    const older = await challenged(stores);
    await finalise(older);
    const newer = await challenged(stores);
    await stores.authorisations.fail({
      id: newer.authorisationId,
      because: "cancelled",
      on: today,
      at: now,
    });
    expect(await statusOf(older)).toBe("valid");
  });
});

describe("replacement", () => {
  test("a new recurring consent ends the former one of the same TPP and PSU, with its tokens", async () => {
    const older = await challenged(stores);
    await finalise(older);
    const newer = await challenged(stores);
    expect(await statusOf(older)).toBe("valid");
    expect(await finalise(newer)).toBe(true);
    expect(await statusOf(older)).toBe("expired");
    expect(await statusOf(newer)).toBe("valid");
    expect(await tokenAlive(stores, older)).toBe(false);
    expect(await tokenAlive(stores, newer)).toBe(true);
    expect(await scaStatusOf(older)).toBe("finalised");
  });

  test("a one-off consent neither replaces nor is replaced", async () => {
    const recurring = await challenged(stores);
    await finalise(recurring);
    const single = await challenged(stores, oneOff);
    await finalise(single);
    expect([await statusOf(recurring), await statusOf(single)]).toEqual(["valid", "valid"]);
    await finalise(await challenged(stores));
    expect([await statusOf(recurring), await statusOf(single)]).toEqual(["expired", "valid"]);
    expect(await tokenAlive(stores, single)).toBe(true);
  });

  test("a former consent that has ended already stays as it ended", async () => {
    const older = await challenged(stores);
    const { consentId, on, at } = older;
    await finalise(older);
    await stores.consents.end({ consentId, from: "valid", to: "revokedByPsu", on, at });
    await finalise(await challenged(stores));
    expect(await statusOf(older)).toBe("revokedByPsu");
  });

  test("consents of another PSU or another TPP stay", async () => {
    const ofMihai = await challenged(stores, { psuId: mihai });
    const atOther = await challenged(stores, { tppId: otherTpp.id });
    await finalise(ofMihai);
    await finalise(atOther);
    await finalise(await challenged(stores));
    expect([await statusOf(ofMihai), await statusOf(atOther)]).toEqual(["valid", "valid"]);
  });

  test("of recurring consents authorised at once one stays valid", async () => {
    const rivals = await Promise.all(Array.from({ length: 4 }, () => challenged(stores)));
    expect(await Promise.all(rivals.map(finalise))).toEqual([true, true, true, true]);
    const statuses = await Promise.all(rivals.map(statusOf));
    expect(statuses.sort()).toEqual(["expired", "expired", "expired", "valid"]);
  });
});
