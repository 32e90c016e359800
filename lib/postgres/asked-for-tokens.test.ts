import { afterAll, beforeAll, expect, test } from "vitest";
import type { AuthorisationId } from "@/lib/domain/identifiers";
import { type Connection, connect } from "./client";
import { findingAuthorisations } from "./find-authorisation";
import { oidcModels } from "./oidc-models";
import { exampleTpp, minutesOn, now } from "./samples";
import { stopList } from "./stop-list";
import { type TestDatabase, testDatabase } from "./testing";
import { tppRegister } from "./tpp-store";

let database: TestDatabase;
/** What is prepared belongs to a connection: there is only this one. */
let single: Connection;
beforeAll(async () => {
  database = await testDatabase();
  single = connect(database.url, { max: 1 });
});
afterAll(async () => {
  await single.close();
  await database.close();
});

const prepared = async () => {
  const [row] = await single.sql`select count(*)::int as many from pg_prepared_statements
    where statement not like '%pg_prepared_statements%'`;
  return row?.["many"];
};

/** PostgreSQL is asked for the types of any other, and what is to go over its connection waits meanwhile. */
test("whatever a token is given for is asked in a statement that is prepared", async () => {
  const models = oidcModels(single.db);
  const { find, findByResource, redirectUrisOf } = findingAuthorisations(single.db);
  const id = crypto.randomUUID() as AuthorisationId;
  const asked = [
    () => models.upsert("RefreshToken", id, {}, minutesOn(1), { grantId: id }),
    () => models.find("RefreshToken", id, now),
    () => models.findByUid("Session", id, now),
    () => models.rotate(id, now, 60),
    () => models.consume("RefreshToken", id, now),
    () => models.destroy("RefreshToken", id),
    () => find(id),
    () => findByResource("AIS", id),
    () => redirectUrisOf(exampleTpp.id, now),
    () => tppRegister(single.db).find(exampleTpp.id),
    () => stopList(single.db).find(exampleTpp.id, now),
  ];
  for (const [before, ask] of asked.entries()) {
    await ask();
    expect(await prepared(), ask.toString()).toBe(before + 1);
  }
});
