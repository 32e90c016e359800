import { afterAll, beforeAll, expect, test } from "vitest";
import {
  challenged,
  exampleTpp,
  minutesOn,
  now,
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
});
afterAll(() => database.close());

test("P10: the PSU's no rejects the consent and takes the tokens", async () => {
  const decision = await challenged(stores);
  const neighbour = await challenged(stores);
  const { authorisationId, consentId } = decision;
  expect(await stores.authorisations.fail(authorisationId, today, now)).toBe(true);
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
  expect(await stores.authorisations.fail(authorisationId, today, minutesOn(16))).toBe(true);
});

test("a consent that its TPP has deleted stays deleted", async () => {
  const { authorisationId, consentId } = await challenged(stores);
  await database.sql`update account_consent set status = 'terminatedByTpp' where id = ${consentId}`;
  expect(await stores.authorisations.fail(authorisationId, today, now)).toBe(true);
  expect((await stores.consents.find(consentId))?.status).toBe("terminatedByTpp");
});

test("it is kept when the no was said", async () => {
  const { authorisationId } = await challenged(stores);
  await stores.authorisations.fail(authorisationId, today, minutesOn(3));
  const [row] = await database.sql`
    select decided_at = ended_at and ended_at = ${minutesOn(3).toISOString()} as kept
    from authorisation a join account_consent c on c.authorisation_id = a.id
    where a.id = ${authorisationId}`;
  expect(row).toEqual({ kept: true });
});

test("a no is heard once", async () => {
  const { authorisationId } = await challenged(stores);
  expect(await winners(50, () => stores.authorisations.fail(authorisationId, today, now))).toBe(1);
});

test("no no after the PSU's yes", async () => {
  const decision = await challenged(stores);
  await stores.authorisations.finaliseAccountConsent(decision);
  expect(await stores.authorisations.fail(decision.authorisationId, today, now)).toBe(false);
  expect((await stores.consents.find(decision.consentId))?.status).toBe("valid");
  expect(await tokenAlive(stores, decision)).toBe(true);
});
