import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import { newConsentId } from "@/lib/domain/identifiers";
import type { SessionHash } from "@/lib/domain/sign-in/sign-in-store";
import { ana, exampleTpp, mihai, minutesOn, now, storesOf } from "@/lib/postgres/samples";
import { signInStore } from "@/lib/postgres/sign-in-store";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { sweep } from "./sweep";

let database: TestDatabase;
let stores: ReturnType<typeof storesOf>;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
});
afterAll(() => database.close());

test("sessions of the bank's own channel go once they are too old to be alive", async () => {
  const signIns = signInStore(database.db);
  const [old, young] = [
    randomUUID() as string as SessionHash,
    randomUUID() as string as SessionHash,
  ];
  await signIns.begin(old, ana, now);
  await signIns.begin(young, mihai, minutesOn(30));
  const left = () => database.sql`select id_hash from psu_session where purpose = 'own-channel'`;
  await sweep(database.db, minutesOn(59.99));
  expect(await left()).toHaveLength(2);
  await sweep(database.db, minutesOn(60.01));
  expect(await left()).toEqual([{ id_hash: young }]);
});

test("lines of the access log go after thirteen months, by the database's clock and the bank's", async () => {
  const tppId = exampleTpp.id;
  const consentId = newConsentId();
  const line = { consentId, tppId, what: "accounts", attended: true } as const;
  const today = new Date();
  const [kept, gone] = [60_000, -60_000].map(
    (ms) => new Date(after(today, -397, "day").getTime() + ms),
  );
  for (const at of [kept, gone]) await stores.budget.admitAttended({ ...line, at: at ?? now });
  const left = () => database.sql`
    select (extract(epoch from at) * 1000)::float8 as at from access_log where consent_id = ${consentId}`;
  expect(aspspProfile.accessLogKeptDays).toBe(397);
  await sweep(database.db, after(today, -1, "day"));
  expect(await left()).toHaveLength(2);
  // However far somebody has moved the sandbox's clock.
  await sweep(database.db, after(today, 3_650, "day"));
  expect(await left()).toEqual([{ at: kept?.getTime() }]);
});

test("there is more to do while as many lines are too old as are taken at once", async () => {
  const tppId = exampleTpp.id;
  await database.sql`insert into access_log (consent_id, tpp_id, what, at, attended)
    select gen_random_uuid(), ${tppId}, 'accounts', now() - interval '398 days', true
    from generate_series(1, 250)`;
  const today = new Date();
  expect(await sweep(database.db, today)).toBe(true);
  expect(await sweep(database.db, today)).toBe(false);
});
