import { afterAll, beforeAll, expect, test } from "vitest";
import type { Iban } from "@/lib/domain/iban";
import type { ConsentId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Currency } from "@/lib/domain/money";
import { exampleTpp, now, openMax, otherTpp, storesOf, winners } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { type FundsStores, fundsStoresOf, receivedFundsConsent, requestId } from "./testing-funds";

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

test("a funds consent comes back as it was received, whatever the TPP left out", async () => {
  const whole = receivedFundsConsent({
    account: { iban: "RO49DRWB1B31007593840000" as Iban, currency: "EUR" as Currency },
    cardNumber: "1234567891234",
    cardExpiryDate: "2028-12-31" as IsoDate,
    cardInformation: "My Merchant Loyalty Card",
    registrationInformation: "Your contract number 1234 with us",
  });
  const bare = receivedFundsConsent();
  for (const { consent, authorisation } of [whole, bare]) {
    expect(await stores.fundsConsents.insert(consent, authorisation, openMax)).toBe("kept");
    expect(await stores.fundsConsents.find(consent.id)).toEqual(consent);
    expect(await stores.fundsConsents.findOfTpp(consent.id, consent.tppId)).toEqual(consent);
    expect(await stores.fundsConsents.findByAuthorisation(authorisation.id)).toEqual(consent);
    expect(await stores.authorisations.findByResource("PIIS", consent.id)).toEqual(authorisation);
  }
});

test("O1: the funds consent of another TPP is as unknown as one that never was", async () => {
  const { consent, authorisation } = receivedFundsConsent();
  await stores.fundsConsents.insert(consent, authorisation, openMax);
  const { fundsConsents } = stores;
  expect(await fundsConsents.findOfTpp(consent.id, otherTpp.id)).toBeUndefined();
  for (const id of [crypto.randomUUID(), "", "x", "'; drop table funds_consent"]) {
    expect(await fundsConsents.find(id as ConsentId)).toBeUndefined();
    expect(await fundsConsents.findOfTpp(id as ConsentId, consent.tppId)).toBeUndefined();
    expect(await fundsConsents.findByAuthorisation(id as never)).toBeUndefined();
  }
});

test("S9: of 50 parallel requests with one X-Request-ID one creates a consent, another TPP's too", async () => {
  const id = requestId();
  const count = async () => (await database.sql`select from funds_consent`).length;
  const before = await count();
  const insert = (tppId = exampleTpp.id) => {
    const { consent, authorisation } = receivedFundsConsent({ tppId }, { requestId: id });
    return stores.fundsConsents.insert(consent, authorisation, openMax);
  };
  expect(await winners(50, async () => (await insert()) === "kept")).toBe(1);
  expect(await insert(otherTpp.id)).toBe("kept");
  expect(await count()).toBe(before + 2);
});
