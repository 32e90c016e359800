import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addTime, type Currency, type PsuId, type TppId } from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { aspspProfile as profile } from "@/lib/testing-profile";
import { balances } from "./balances";
import { namespaceLimits, namespaces } from "./namespaces";
import { psuDirectory } from "./psu-directory";
import { now } from "./testing";

let database: TestDatabase;
let own: ReturnType<typeof namespaces>;
beforeAll(async () => {
  database = await testDatabase();
  own = namespaces(database.db);
});
afterAll(() => database.close());

const newTpp = () => `PSDRO-NBR-${randomInt(1_000_000, 9_999_999)}` as string as TppId;
const maria = { login: "maria", name: "Maria Ene", paymentLimitMinor: null };
const current = {
  currency: "RON" as string as Currency,
  name: "Current account",
  product: "Everyday account",
  openingMinor: 10_000n,
  overdraftMinor: 0n,
};

it("those who make PSUs at once do not pass the limit together", async () => {
  const tpp = newTpp();
  const allowed = namespaceLimits.psus;
  const made = await Promise.allSettled(
    Array.from({ length: allowed + 5 }, () => own.createPsu(tpp, maria)),
  );
  const refused = made.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(5);
  for (const { reason } of refused as PromiseRejectedResult[]) {
    expect(reason).toMatchObject({ status: 409 });
  }
  expect(await own.psus(tpp)).toHaveLength(allowed);
});

it("the password of a namespace's PSU is right for its TPP and in the bank's own channel, for no other TPP", async () => {
  const [tpp, other] = [newTpp(), newTpp()];
  const { id, userId, password } = await own.createPsu(tpp, maria);
  const { verifyPassword } = psuDirectory(database.db);
  expect(await verifyPassword(userId, password, tpp)).toMatchObject({ id });
  expect(await verifyPassword(userId, password)).toMatchObject({ id });
  expect(await verifyPassword(userId, password, other)).toBeUndefined();
  expect(await verifyPassword(userId, "wrong", tpp)).toBeUndefined();
});

it("an account has the balance that its entries add up to, and after a reset nobody sees it", async () => {
  const [tpp, bank] = [newTpp(), { profile, now }];
  const { id: psuId, userId, password } = await own.createPsu(tpp, maria);
  const { id } = await own.createAccount(tpp, { ...current, psuId }, bank);
  const entry = {
    day: "2026-01-31" as Parameters<typeof own.addEntry>[2]["day"],
    counterparty: {},
  };
  await own.addEntry(tpp, id, { ...entry, amountMinor: -2_550n, status: "booked" }, bank);
  await own.addEntry(tpp, id, { ...entry, amountMinor: -100n, status: "pending" }, bank);
  expect(await own.accounts(tpp)).toMatchObject([
    { id, bookedMinor: 7_450n, pendingMinor: -100n, owners: [{ id: psuId, role: "owner" }] },
  ]);
  const asked = { customerId: psuId as PsuId, ids: [id] };
  const read = () => balances(database.db, profile)(asked, now);
  expect(await read()).toHaveLength(1);

  await expect(own.createAccount(newTpp(), { ...current, psuId }, bank)).rejects.toMatchObject({
    status: 404,
  });
  expect(await own.reset(newTpp(), bank)).toEqual({ psus: 0, accounts: 0 });
  expect(await own.reset(tpp, bank)).toEqual({ psus: 1, accounts: 1 });
  expect(await read()).toEqual([]);
  const { verifyPassword } = psuDirectory(database.db);
  expect(await verifyPassword(userId, password, tpp)).toBeUndefined();
  await expect(own.psu(tpp, psuId as PsuId)).rejects.toMatchObject({ status: 404 });
});

it("a namespace is reset so often in a day, by all who do so at once, and again on the next", async () => {
  const [tpp, bank] = [newTpp(), { profile, now }];
  const allowed = namespaceLimits.resetsPerDay;
  const done = await Promise.allSettled(
    Array.from({ length: allowed + 3 }, () => own.reset(tpp, bank)),
  );
  expect(done.filter(({ status }) => status === "rejected")).toHaveLength(3);
  await expect(own.reset(tpp, bank)).rejects.toMatchObject({ status: 409 });
  expect(await own.reset(newTpp(), bank)).toEqual({ psus: 0, accounts: 0 });
  const tomorrow = { profile, now: addTime(now, 1, "day") };
  expect(await own.reset(tpp, tomorrow)).toEqual({ psus: 0, accounts: 0 });
});

it("a PSU who is added as an owner has no more accounts than one who opens them", async () => {
  const [tpp, bank] = [newTpp(), { profile, now }];
  const [{ id: psuId }, other] = [await own.createPsu(tpp, maria), await own.createPsu(tpp, maria)];
  for (let made = 0; made < namespaceLimits.accountsPerPsu; made += 1) {
    await own.createAccount(tpp, { ...current, psuId }, bank);
  }
  const [first] = await own.accounts(tpp);
  const { id } = await own.createAccount(tpp, { ...current, psuId: other.id }, bank);
  const added = { psuId, role: "owner" } as const;
  await expect(own.addOwner(tpp, id, added)).rejects.toMatchObject({ status: 409 });
  // Who owns it already may still be given it again.
  expect(first && (await own.addOwner(tpp, first.id, added))).toEqual(first);
});

it("the last owner of an account stays its owner", async () => {
  const [tpp, bank] = [newTpp(), { profile, now }];
  const [{ id: psuId }, other] = [await own.createPsu(tpp, maria), await own.createPsu(tpp, maria)];
  const { id } = await own.createAccount(tpp, { ...current, psuId }, bank);
  const lesser = { psuId, role: "authorisedUser" } as const;
  await expect(own.addOwner(tpp, id, lesser)).rejects.toMatchObject({ status: 409 });
  await own.addOwner(tpp, id, { psuId: other.id, role: "owner" });
  const { owners } = await own.addOwner(tpp, id, lesser);
  expect(owners).toContainEqual({ id: psuId, role: "authorisedUser" });
});
