import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newConsentId } from "@/lib/domain/identifiers";
import type { SessionHash } from "@/lib/domain/sign-in/sign-in-store";
import { ana, exampleTpp, mihai, minutesOn, now, storesOf } from "@/lib/postgres/samples";
import { signInStore } from "@/lib/postgres/sign-in-store";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { sweep } from "./sweep";

const days = (count: number) => minutesOn(count * 1_440);

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

test("lines of the access log go after thirteen months", async () => {
  const tppId = exampleTpp.id;
  const consentId = newConsentId();
  const line = { consentId, tppId, what: "accounts", attended: true } as const;
  await stores.budget.admitAttended({ ...line, at: now });
  await stores.budget.admitAttended({ ...line, at: minutesOn(1) });
  const left = () => database.sql`select id from access_log where consent_id = ${consentId}`;
  await sweep(database.db, days(397));
  expect(await left()).toHaveLength(2);
  await sweep(database.db, new Date(days(397).getTime() + 1));
  expect(await left()).toHaveLength(1);
});

test("there is more to do while as many lines are too old as are taken at once", async () => {
  const tppId = exampleTpp.id;
  await database.sql`insert into access_log (consent_id, tpp_id, what, at, attended)
    select gen_random_uuid(), ${tppId}, 'accounts', ${days(-398).toISOString()}, true
    from generate_series(1, 250)`;
  expect(await sweep(database.db, now)).toBe(true);
  expect(await sweep(database.db, now)).toBe(false);
});
