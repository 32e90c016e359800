import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConsentId, PsuId } from "@/lib/domain/identifiers";
import type { PermissionRecords, ReadPosition } from "@/lib/domain/permissions/permission-records";
import { permissionRecords } from "./permission-records";
import { exampleTpp, now, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { planOf, recorder } from "./testing-statements/recorded";

const { asked, debug } = recorder();
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ debug });
  await storesOf(database.db).tpps.remember(exampleTpp, now);
  const at = now.toISOString();
  await database.sql`
    insert into authorisation (id, kind, resource_id, tpp_id, request_id, sca_status, redirect_uri,
      psu_id, failed_attempts, selection, codes_sent, created_at, expires_at, decided_at)
    select md5(n::text)::uuid, 'AIS', md5('consent ' || n)::uuid, ${exampleTpp.id},
      gen_random_uuid(), 'finalised', 'https://tpp.example/', 'psu-' || n % 1000, 0, '{}', 1,
      ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz
    from generate_series(1, 10000) n`;
  await database.sql`
    insert into account_consent (id, tpp_id, authorisation_id, status, requested_access, access,
      recurring_indicator, valid_until, frequency_per_day, created_at, last_action_date)
    select md5('consent ' || n)::uuid, ${exampleTpp.id}, md5(n::text)::uuid, 'rejected', '{}', '{}',
      false, '2026-11-20', 4, ${at}::timestamptz, '2026-11-20'
    from generate_series(1, 10000) n`;
  await database.sql`
    insert into access_log (consent_id, tpp_id, what, at, attended)
    select md5('consent ' || n % 100 + 1)::uuid, ${exampleTpp.id}, 'accounts',
      ${at}::timestamptz + n * interval '1 second', true
    from generate_series(1, 40000) n`;
  await database.sql`analyze authorisation, account_consent, access_log`;
});
afterAll(() => database.close());

const of = "psu-1" as PsuId;
const consentId = async () => {
  const [row] = await database.sql`select md5('consent 1')::uuid as id`;
  return row?.["id"] as ConsentId;
};

/** How PostgreSQL goes about the first statement of a call. */
async function planOfRecords(
  call: (records: PermissionRecords) => Promise<unknown>,
): Promise<string> {
  asked.length = 0;
  await call(permissionRecords(database.db));
  const [plan = ""] = await Promise.all(asked.map((one) => planOf(database, one)));
  return plan;
}
const large = /Seq Scan on (authorisation|account_consent|access_log)/;

test("the history of a consent is read off an index, in its order", async () => {
  const id = await consentId();
  for (const page of [{ limit: 50 }, { limit: 50, after: "39000" as ReadPosition }]) {
    const plan = await planOfRecords((records) => records.readsOf(id, page));
    expect(plan).toMatch(/Index Scan Backward using access_log_of_consent/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  }
});

test("a PSU's permissions are found by index, each with its last read", async () => {
  const plan = await planOfRecords((records) => records.of(of, { offset: 0, limit: 20 }));
  expect(plan).toContain("authorisation_of_psu");
  expect(plan).toContain("Index Scan Backward using access_log_of_consent");
  expect(plan).not.toMatch(large);
});

test("one permission is found by index", async () => {
  const id = await consentId();
  const plan = await planOfRecords((records) => records.find(of, "accounts", id));
  expect(plan).not.toMatch(large);
});

test("old lines are found by index, however many there are", async () => {
  const [{ prosrc } = { prosrc: "" }] = await database.sql<{ prosrc: string }[]>`
    select prosrc from pg_proc where proname = 'access_log_destroy'`;
  const rows = await database.sql.unsafe(`explain (generic_plan) ${prosrc}`);
  const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
  expect(plan).toContain("access_log_age");
  expect(plan).not.toMatch(large);
});
