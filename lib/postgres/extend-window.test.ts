import { afterAll, beforeAll, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { settleOverdue } from "@/lib/domain/consent/settle-overdue";
import type { AuthorisationId } from "@/lib/domain/identifiers";
import { fundsConsentStore } from "./funds-consent-store";
import { overdue } from "./overdue";
import { challenged, exampleTpp, minutesOn, now, type Stores, storesOf, today } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

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
