import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "@/lib/domain/identifiers";
import {
  accountOne,
  challenged,
  exampleTpp,
  minutesOn,
  now,
  type Stores,
  storesOf,
  today,
} from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const other = "account-2" as AccountId;
const open = (nonce: string) => ({ nonce, expiresAt: minutesOn(5) });
const evidence = {
  text: "what was signed",
  credentialId: "credential",
  publicKey: "key",
  clientDataJson: "client",
  authenticatorData: "authenticator",
  signature: "signature",
};
const code = { codeFingerprint: "another", expiresAt: minutesOn(5) };

/** A consent whose PSU was sent a code, and is asked for a passkey. */
async function asked(nonce = "nonce") {
  const decision = await challenged(stores);
  const { authorisationId: id } = decision;
  const { authorisations } = stores;
  const begun = await authorisations.startPasskeyChallenge(id, [accountOne], open(nonce), now);
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
  await authorisations.startPasskeyChallenge(id, [accountOne], open("second"), now);
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

test("it is for what is selected now, of what has begun and runs", async () => {
  const { id, authorisations } = await asked();
  const start = (selection: readonly AccountId[], at = now) =>
    authorisations.startPasskeyChallenge(id, selection, open("late"), at);
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
