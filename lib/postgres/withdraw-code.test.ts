import { afterAll, beforeAll, expect, test } from "vitest";
import {
  accountOne,
  challenged,
  exampleTpp,
  minutesOn,
  now,
  type Stores,
  storesOf,
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

/** An authorisation whose first code was sent. */
async function sent() {
  const decision = await challenged(stores);
  const { authorisationId: id, codeFingerprint } = decision;
  if (codeFingerprint === undefined) throw new Error("no code");
  const { authorisations } = stores;
  const send = (fingerprint: string) => {
    const challenge = { codeFingerprint: fingerprint, expiresAt: minutesOn(5) };
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
