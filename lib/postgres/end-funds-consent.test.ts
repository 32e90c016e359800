import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type FundsConsentStatus,
  fundsConsentMayBecome,
  fundsConsentTransitions,
} from "@/lib/domain/funds-confirmation/funds-consent-status";
import type { ConsentId } from "@/lib/domain/identifiers";
import {
  challenged,
  exampleTpp,
  minutesOn,
  now,
  otherTpp,
  storesOf,
  tokenAlive,
  winners,
} from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import {
  challengedFunds,
  type FundsStores,
  fundsStoresOf,
  fundsTokenAlive,
  validFunds,
} from "./testing-funds";

let database: TestDatabase;
let stores: FundsStores;
beforeAll(async () => {
  database = await testDatabase();
  stores = fundsStoresOf(database.db);
  const { tpps } = storesOf(database.db);
  await tpps.remember(exampleTpp, now);
  await tpps.remember(otherTpp, now);
});
afterAll(() => database.close());

const statusOf = async (id: ConsentId) => (await stores.fundsConsents.find(id))?.status;

describe("an end", () => {
  const states = Object.keys(fundsConsentTransitions) as FundsConsentStatus[];
  const pairs = states.flatMap((from) => states.map((to) => [from, to] as const));

  test.each(pairs)("from %s to %s is in the table, or is none", async (from, to) => {
    const decision = await validFunds(stores);
    const { consentId } = decision;
    await database.sql`update funds_consent set status = ${from} where id = ${consentId}`;
    const ending = stores.fundsConsents.end({ consentId, from, to, at: minutesOn(1) });
    if (to === "valid" || !fundsConsentMayBecome(from, to)) {
      await expect(ending).rejects.toThrow(`${from} to ${to}`);
      expect(await statusOf(consentId)).toBe(from);
      expect(await fundsTokenAlive(stores, decision)).toBe(true);
    } else {
      expect(await ending).toBe(true);
      expect(await statusOf(consentId)).toBe(to);
      expect(await fundsTokenAlive(stores, decision)).toBe(false);
    }
  });

  test("takes place once, from the state it was told, and fails an open authorisation", async () => {
    const decision = await challengedFunds(stores);
    const { consentId, authorisationId } = decision;
    const end = { consentId, to: "terminatedByTpp", at: now } as const;
    expect(await stores.fundsConsents.end({ ...end, from: "valid" })).toBe(false);
    const once = () => stores.fundsConsents.end({ ...end, from: "received" });
    expect(await winners(20, once)).toBe(1);
    expect(await stores.authorisations.find(authorisationId)).toMatchObject({
      scaStatus: "failed",
      failedBecause: "withdrawn-by-tpp",
    });
  });

  test("is of the funds consent alone, though a resource of another kind had the same id", async () => {
    const other = await challenged(storesOf(database.db));
    const { consentId: id } = other;
    await challengedFunds(stores, { id });
    const end = { consentId: id, from: "received", to: "terminatedByTpp", at: now } as const;
    expect(await stores.fundsConsents.end(end)).toBe(true);
    const authorisation = await stores.authorisations.find(other.authorisationId);
    expect(authorisation?.scaStatus).toBe("started");
    expect(await tokenAlive(storesOf(database.db), other)).toBe(true);
  });
});
