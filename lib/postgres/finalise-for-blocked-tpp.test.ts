import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { challenged, exampleTpp, minutesOn, now, type Stores, storesOf } from "./samples";
import { stopList } from "./stop-list";
import { type TestDatabase, testDatabase } from "./testing";
import { challengedFunds, fundsStoresOf } from "./testing-funds";
import { challengedPayment, payer } from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
let list: ReturnType<typeof stopList>;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  list = stopList(database.db);
  await stores.tpps.remember(exampleTpp, now);
});
afterEach(() => list.unblock(exampleTpp.id, now));
afterAll(() => database.close());

/** The PSU has entered the right code, and the answer is about to be kept. */
const kinds = {
  "an account consent": async () => {
    const decision = await challenged(stores);
    const finalise = () => stores.authorisations.finaliseAccountConsent(decision);
    return { id: decision.authorisationId, finalise, yes: true, no: false };
  },
  "a funds consent": async () => {
    const decision = await challengedFunds(fundsStoresOf(database.db));
    const finalise = () => stores.authorisations.finaliseFundsConsent(decision);
    return { id: decision.authorisationId, finalise, yes: true, no: false };
  },
  "a payment": async () => {
    const decision = await challengedPayment(stores, await payer(database.db));
    const finalise = () => stores.authorisations.finalisePayment(decision);
    return { id: decision.authorisationId, finalise, yes: "finalised", no: "too-late" };
  },
} as const;

test.each(Object.entries(kinds))(
  "C6: the yes to %s of a blocked TPP is not kept",
  async (_kind, at) => {
    const { id, finalise, yes, no } = await at();
    await list.block({ tppId: exampleTpp.id, blockedAt: now, until: minutesOn(10) });
    expect(await finalise()).toBe(no);
    expect(await stores.authorisations.find(id)).toMatchObject({ scaStatus: "started" });
    await list.unblock(exampleTpp.id, now);
    expect(await finalise()).toBe(yes);
  },
);

test.each(Object.entries(kinds))(
  "C6: a block of another TPP, or one that is over, leaves the yes to %s alone",
  async (_kind, at) => {
    const { finalise, yes } = await at();
    await list.block({ tppId: exampleTpp.id, blockedAt: minutesOn(-5), until: now });
    await list.block({ tppId: `${exampleTpp.id}0` as typeof exampleTpp.id, blockedAt: now });
    expect(await finalise()).toBe(yes);
  },
);
