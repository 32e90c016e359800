import { afterAll, beforeAll, expect, test } from "vitest";
import type { TppId } from "@/lib/domain/identifiers";
import { exampleTpp, minutesOn, now } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { tppRegister } from "./tpp-store";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const version = async () => database.sql`select xmin::text, xmax::text, ctid::text from tpp`;

test("a TPP is known by its certificate from its first call on", async () => {
  const register = tppRegister(database.db);
  expect(await register.find(exampleTpp.id)).toBeUndefined();
  await register.remember(exampleTpp, now);
  expect(await register.find(exampleTpp.id)).toEqual(exampleTpp);
  expect(await register.find("PSDRO-NBR-1234568" as TppId)).toBeUndefined();
});

test("a later certificate overwrites name and roles", async () => {
  const register = tppRegister(database.db);
  for (const change of [
    { name: "Example TPP SRL" },
    { roles: ["PSP_AI"] as const },
    { authorityName: "BNR" },
    { authorityId: "RO-BNR" },
  ]) {
    await register.remember(exampleTpp, now);
    await register.remember({ ...exampleTpp, ...change }, minutesOn(1));
    expect(await register.find(exampleTpp.id)).toEqual({ ...exampleTpp, ...change });
  }
});

test("a call that brings nothing new writes nothing, not even a lock", async () => {
  const register = tppRegister(database.db);
  await register.remember(exampleTpp, now);
  const before = await version();
  await register.remember(exampleTpp, minutesOn(2));
  expect(await version()).toEqual(before);
});

test("first calls at once leave one TPP", async () => {
  const register = tppRegister(database.db);
  const fresh = { ...exampleTpp, id: "PSDRO-NBR-777" as TppId };
  await Promise.all(Array.from({ length: 50 }, () => register.remember(fresh, now)));
  expect(await register.find(fresh.id)).toEqual(fresh);
});
