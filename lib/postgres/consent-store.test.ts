import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConsentStatus } from "@/lib/domain/consent/consent-status";
import type { ConsentTransition } from "@/lib/domain/consent/consent-store";
import type { AuthorisationId, ConsentId, TppId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import {
  ana,
  challenged,
  exampleTpp,
  granted,
  minutesOn,
  now,
  openMax,
  otherTpp,
  receivedConsent,
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

const tomorrow = "2026-11-21" as IsoDate;
const ending = (
  consentId: ConsentId,
  from: ConsentStatus,
  to: ConsentStatus,
): ConsentTransition => ({ consentId, from, to, on: tomorrow, at: minutesOn(1) });

test("a consent comes back as it was received, and so does its authorisation", async () => {
  const { consent, authorisation } = receivedConsent();
  await stores.consents.insert(consent, authorisation, openMax);
  expect(await stores.consents.find(consent.id)).toEqual(consent);
  expect(await stores.consents.findOfTpp(consent.id, consent.tppId)).toEqual(consent);
  expect(await stores.consents.findByAuthorisation(authorisation.id)).toEqual(consent);
  expect(await stores.authorisations.find(authorisation.id)).toEqual(authorisation);
  expect(await stores.authorisations.findByResource("AIS", consent.id)).toEqual(authorisation);
});

test("the access object comes back word for word", async () => {
  const requestedAccess = { z: "\u0000", balances: [], a: { long: 1, b: [] } };
  const { consent, authorisation } = receivedConsent({ requestedAccess });
  await stores.consents.insert(consent, authorisation, openMax);
  const found = await stores.consents.find(consent.id);
  expect(JSON.stringify(found?.requestedAccess)).toBe(JSON.stringify(requestedAccess));
});

test("all optional parts of an authorisation come back", async () => {
  const { consent, authorisation } = receivedConsent(
    {},
    {
      wayBack: { redirectUri: "https://tpp.example/ok", nokRedirectUri: "https://tpp.example/nok" },
      loginHint: "ana",
    },
  );
  await stores.consents.insert(consent, authorisation, openMax);
  expect(await stores.authorisations.find(authorisation.id)).toEqual(authorisation);
});

test("consent and authorisation are inserted together or not at all", async () => {
  const first = receivedConsent();
  await stores.consents.insert(first.consent, first.authorisation, openMax);
  const second = receivedConsent({ id: first.consent.id });
  const apart = { ...second.authorisation, resourceId: second.authorisation.id };
  await expect(stores.consents.insert(second.consent, apart, openMax)).rejects.toThrow();
  expect(await stores.authorisations.find(apart.id)).toBeUndefined();
});

test("O1: the consent of another TPP is as unknown as one that never was", async () => {
  const { consent, authorisation } = receivedConsent();
  await stores.consents.insert(consent, authorisation, openMax);
  const unknown = crypto.randomUUID() as string as ConsentId;
  expect(await stores.consents.findOfTpp(consent.id, otherTpp.id)).toBeUndefined();
  expect(await stores.consents.findOfTpp(unknown, otherTpp.id)).toBeUndefined();
  expect(await stores.consents.findOfTpp(consent.id, "PSDXX-NO-1" as TppId)).toBeUndefined();
});

test("O1: an id that is no UUID is unknown, not a fault", async () => {
  const id = "'; drop table account_consent; --";
  expect(await stores.consents.find(id as ConsentId)).toBeUndefined();
  expect(await stores.consents.findOfTpp(id as ConsentId, exampleTpp.id)).toBeUndefined();
  expect(await stores.consents.findByAuthorisation(id as AuthorisationId)).toBeUndefined();
  expect(await stores.authorisations.find(id as AuthorisationId)).toBeUndefined();
  expect(await stores.authorisations.findByResource("AIS", id)).toBeUndefined();
});

test("granted accounts come with the consent, in the order of the grant", async () => {
  const decision = await challenged(stores);
  const accounts = ["b", "c", "a"].map((name) => granted(name as never));
  expect(
    await stores.authorisations.finaliseAccountConsent({ ...decision, grantedAccounts: accounts }),
  ).toBe(true);
  const consent = await stores.consents.find(decision.consentId);
  expect(consent?.grantedAccounts).toEqual(accounts);
  expect(consent).toMatchObject({ status: "valid", psuId: ana, authorisedAt: now });
});

test("DELETE before the PSU's yes: the open authorisation fails and nothing is left to redeem", async () => {
  const decision = await challenged(stores);
  const transition = ending(decision.consentId, "received", "terminatedByTpp");
  expect(await stores.consents.end(transition)).toBe(true);
  expect(await stores.consents.find(decision.consentId)).toMatchObject({
    status: "terminatedByTpp",
    lastActionDate: tomorrow,
  });
  const authorisation = await stores.authorisations.find(decision.authorisationId);
  expect(authorisation?.scaStatus).toBe("failed");
  expect(authorisation?.challenge).toBeUndefined();
  expect(await tokenAlive(stores, decision)).toBe(false);
});

test("O13: the end of a valid consent takes its tokens, and only its own", async () => {
  const decision = await challenged(stores, { tppId: otherTpp.id });
  const neighbour = await challenged(stores);
  expect(await stores.authorisations.finaliseAccountConsent(decision)).toBe(true);
  expect(await tokenAlive(stores, decision)).toBe(true);
  expect(await stores.consents.end(ending(decision.consentId, "valid", "revokedByPsu"))).toBe(true);
  expect(await tokenAlive(stores, decision)).toBe(false);
  expect(await tokenAlive(stores, neighbour)).toBe(true);
  const authorisation = await stores.authorisations.find(decision.authorisationId);
  expect(authorisation?.scaStatus).toBe("finalised");
});

test("a consent that has left its status is not ended, nor are its tokens", async () => {
  const decision = await challenged(stores);
  await stores.authorisations.finaliseAccountConsent(decision);
  const late = ending(decision.consentId, "received", "rejected");
  expect(await stores.consents.end(late)).toBe(false);
  expect(await tokenAlive(stores, decision)).toBe(true);
  expect((await stores.consents.find(decision.consentId))?.status).toBe("valid");
  const unknown = crypto.randomUUID() as string as ConsentId;
  expect(await stores.consents.end(ending(unknown, "valid", "expired"))).toBe(false);
});

test("the authorisation of a payment is none of a consent", async () => {
  const decision = await challenged(stores);
  await database.sql`update authorisation set kind = 'PIS' where id = ${decision.authorisationId}`;
  const transition = ending(decision.consentId, "received", "terminatedByTpp");
  expect(await stores.consents.end(transition)).toBe(false);
  expect((await stores.authorisations.find(decision.authorisationId))?.scaStatus).toBe("started");
});

test("it is kept when a consent ended", async () => {
  const decision = await challenged(stores);
  await stores.consents.end(ending(decision.consentId, "received", "rejected"));
  const [row] = await database.sql`select ended_at = ${minutesOn(1).toISOString()} as kept
    from account_consent where id = ${decision.consentId}`;
  expect(row).toEqual({ kept: true });
});

test("a consent ends once, whoever asks at the same time", async () => {
  const { consent, authorisation } = receivedConsent();
  await stores.consents.insert(consent, authorisation, openMax);
  const transition = ending(consent.id, "received", "rejected");
  expect(await winners(50, () => stores.consents.end(transition))).toBe(1);
});

test("only the ways of the table of states lead to an end", async () => {
  const { consent, authorisation } = receivedConsent();
  await stores.consents.insert(consent, authorisation, openMax);
  for (const [from, to] of [
    ["received", "valid"],
    ["received", "expired"],
    ["rejected", "expired"],
    ["valid", "received"],
  ] as const) {
    await expect(stores.consents.end(ending(consent.id, from, to))).rejects.toThrow("no consent");
  }
  expect((await stores.consents.find(consent.id))?.lastActionDate).toBe(today);
});

test("the database itself refuses a status that the table does not know, and a yes of nobody", async () => {
  const { consent, authorisation } = receivedConsent();
  await stores.consents.insert(consent, authorisation, openMax);
  const { sql } = database;
  await expect(
    sql`update account_consent set status = 'partiallyAuthorised' where id = ${consent.id}`,
  ).rejects.toThrow("account_consent_status");
  await expect(
    sql`update account_consent set status = 'valid' where id = ${consent.id}`,
  ).rejects.toThrow("account_consent_valid_by_psu");
  await expect(
    sql`update authorisation set sca_status = 'exempted', psu_id = 'x' where id = ${authorisation.id}`,
  ).rejects.toThrow("authorisation_sca_status");
  await expect(
    sql`update authorisation set sca_status = 'finalised' where id = ${authorisation.id}`,
  ).rejects.toThrow("authorisation_psu_known");
});
