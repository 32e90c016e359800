import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ServedRead } from "@/lib/domain/access-log/access-log";
import type { ConsentId, PsuId } from "@/lib/domain/identifiers";
import type { PermissionRecord } from "@/lib/domain/permissions/permission-records";
import { permissionRecords } from "./permission-records";
import {
  accountOne,
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
} from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { challengedFunds, fundsStoresOf, validFunds } from "./testing-funds";
import { initiation } from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
let records: ReturnType<typeof permissionRecords>;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  records = permissionRecords(database.db);
  for (const tpp of [exampleTpp, otherTpp]) await stores.tpps.remember(tpp, now);
});
afterAll(() => database.close());

const oneOff = { recurringIndicator: false } as const;
const newPsu = () => `psu-${crypto.randomUUID()}` as PsuId;
const everything = { offset: 0, limit: 100 };
const idOf = (record: PermissionRecord) =>
  record.kind === "payments" ? record.payment.id : record.consent.id;
const idsOf = async (psuId: PsuId, span = everything) => (await records.of(psuId, span)).map(idOf);

async function valid(psuId: PsuId, given: Parameters<typeof challenged>[1] = {}) {
  const decision = await challenged(stores, { psuId, ...oneOff, ...given });
  await stores.authorisations.finaliseAccountConsent(decision);
  return decision.consentId;
}
const requestedAt = (id: ConsentId, minutes: number) =>
  database.sql`update authorisation set created_at = ${minutesOn(minutes).toISOString()}
    where resource_id = ${id}`;
const end = (consentId: ConsentId) =>
  stores.consents.end({
    consentId,
    from: "valid",
    to: "revokedByPsu",
    on: today,
    at: minutesOn(1),
  });
const read = (consentId: ConsentId, minutes: number, more: Partial<ServedRead> = {}) =>
  stores.budget.admitAttended({
    consentId,
    tppId: exampleTpp.id,
    what: "balances",
    accountId: accountOne,
    at: minutesOn(minutes),
    attended: true,
    ...more,
  });

describe("what a PSU has to do with TPPs", () => {
  test("is in force first, then by TPP, the newest first", async () => {
    const psuId = newPsu();
    const ended = await valid(psuId);
    await end(ended);
    const old = await valid(psuId);
    const ofOther = await valid(psuId, { tppId: otherTpp.id });
    const young = await valid(psuId);
    const { consentId: unconfirmed } = await challenged(stores, { psuId });
    await requestedAt(ended, 9);
    await requestedAt(ofOther, 5);
    await requestedAt(young, 6);
    await requestedAt(unconfirmed, 8);
    const order = [young, old, ofOther, ended, unconfirmed];
    expect(await idsOf(psuId)).toEqual(order);
    expect(await idsOf(psuId, { offset: 1, limit: 2 })).toEqual(order.slice(1, 3));
  });

  test("says who, since when, when it ended, and when it was last used", async () => {
    const psuId = newPsu();
    const id = await valid(psuId);
    const [unused] = await records.of(psuId, everything);
    expect(unused).toEqual({
      kind: "accounts",
      tpp: exampleTpp,
      requestedAt: now,
      consent: await stores.consents.find(id),
    });
    await read(id, 3);
    await read(id, 2);
    await end(id);
    expect(await records.find(psuId, "accounts", id)).toEqual({
      kind: "accounts",
      tpp: exampleTpp,
      requestedAt: now,
      endedAt: minutesOn(1),
      lastReadAt: minutesOn(2),
      consent: await stores.consents.find(id),
    });
  });

  test("has funds consents, confirmed or not", async () => {
    const psuId = newPsu();
    const funds = fundsStoresOf(database.db);
    const { consentId: confirmed } = await validFunds(funds, { psuId });
    const { consentId: open } = await challengedFunds(funds, { psuId });
    expect(await records.of(psuId, everything)).toMatchObject([
      { kind: "funds", consent: { id: confirmed, status: "valid" } },
      { kind: "funds", consent: { id: open, status: "received" } },
    ]);
    expect(await records.find(psuId, "funds", confirmed)).toMatchObject({ kind: "funds" });
  });

  test("has payment orders, and when they came to an end", async () => {
    const psuId = newPsu();
    const started = initiation();
    const { payment, authorisation } = started.started;
    await stores.payments.initiate(started);
    await stores.authorisations.takeAttempt(authorisation.id, 5, now);
    await stores.authorisations.authenticate(authorisation.id, psuId, now);
    const waiting = { kind: "payments", payment: { id: payment.id, status: "RCVD" } };
    expect(await records.of(psuId, everything)).toMatchObject([waiting]);
    const no = { because: "cancelled", on: today, at: minutesOn(2) } as const;
    await stores.authorisations.fail({ id: authorisation.id, ...no });
    expect(await records.find(psuId, "payments", payment.id)).toMatchObject({
      payment: { status: "RJCT", reason: "cancelled" },
      endedAt: minutesOn(2),
    });
  });

  test("is nobody else's: another PSU's is as unknown as one that does not exist", async () => {
    const id = await valid(ana, { tppId: otherTpp.id });
    expect(await records.find(ana, "accounts", id)).toBeDefined();
    for (const unknown of [
      records.find(mihai, "accounts", id),
      records.find(ana, "funds", id),
      records.find(ana, "payments", id),
      records.find(ana, "accounts", crypto.randomUUID()),
      records.find(ana, "accounts", "no-uuid"),
    ]) {
      expect(await unknown).toBeUndefined();
    }
    expect(await idsOf(mihai)).not.toContain(id);
  });
});

describe("the access history", () => {
  test("is of this consent, newest first as served, page by page", async () => {
    const [id, other] = [await valid(newPsu()), await valid(newPsu())];
    for (const minutes of [1, 2, 5, 3]) await read(id, minutes);
    await read(other, 4, { what: "accounts", attended: false });
    const first = await records.readsOf(id, { limit: 3 });
    expect(first.map(({ at }) => at)).toEqual([3, 5, 2].map(minutesOn));
    expect(first[0]).toMatchObject({ what: "balances", accountId: accountOne, attended: true });
    const after = first.at(-1)?.position;
    if (after === undefined) throw new Error("no position");
    const second = await records.readsOf(id, { after, limit: 3 });
    expect(second.map(({ at }) => at)).toEqual([minutesOn(1)]);
  });

  test.each(["", "x", "-1", "1e9", "9".repeat(30), "1; drop table access_log"])(
    "nothing follows %j, which is no position",
    async (text) => {
      const id = await valid(newPsu());
      await read(id, 1);
      const after = text as Awaited<ReturnType<typeof records.readsOf>>[number]["position"];
      expect(await records.readsOf(id, { after, limit: 3 })).toEqual([]);
    },
  );
});
