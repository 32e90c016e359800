import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { expect, inject, it, onTestFinished } from "vitest";
import { migrationsOfRelease } from "@/lib/postgres/schema-version";
import { databaseOf } from "@/lib/postgres/testing-cluster";
import { previousRelease } from "./previous-release";

it("a migration that drops, renames or demands what the release before does not know is a contract step", async () => {
  const sql = await emptyDatabase();
  const broken: { readonly tag: string; readonly what: readonly string[] }[] = [];
  let before = await catalogOf(sql);
  for (const { tag, statements } of migrationsOfRelease()) {
    await sql.begin(async (tx) => {
      for (const statement of statements) await tx.unsafe(statement);
    });
    const after = await catalogOf(sql);
    broken.push({ tag, what: brokenBy(before, after) });
    before = after;
  }
  const isContract = new Map(migrationsOfRelease().map((one) => [one.tag, one.isContract]));
  const undeclared = broken.filter(({ tag, what }) => what.length > 0 && !isContract.get(tag));
  // Of releases that were stopped to be migrated; they show that the comparison finds each kind.
  const found = undeclared.filter(({ tag }) => tag <= previousRelease.lastMigration);
  expect(found.flatMap(({ what }) => what)).toEqual(
    expect.arrayContaining([
      "audit_event.id is gone",
      "funds_consent.account_id is character varying(70) and was uuid",
      "authorisation.request_id is demanded",
    ]),
  );
  expect(undeclared.filter(({ tag }) => tag > previousRelease.lastMigration)).toEqual([]);
});

it("no expand step of this release comes after a contract step, which waits until the release before is gone", () => {
  const steps = migrationsOfRelease().filter(({ tag }) => tag > previousRelease.lastMigration);
  const first = steps.findIndex(({ isContract }) => isContract);
  const after = first === -1 ? [] : steps.slice(first);
  expect(after.filter(({ isContract }) => !isContract).map(({ tag }) => tag)).toEqual([]);
});

/** What statements can name, and whether an insert has to give it. */
type Catalog = ReadonlyMap<string, { readonly type: string; readonly demanded: boolean }>;

async function catalogOf(sql: postgres.Sql): Promise<Catalog> {
  const rows = await sql<{ name: string; type: string; demanded: boolean }[]>`
    select relname || '.' || attname as name, format_type(atttypid, atttypmod) as type,
      attnotnull and not atthasdef and attidentity = '' and relkind in ('r', 'p') as demanded
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and attnum > 0
      and not attisdropped and not relispartition
    union all
    select proname || '(' || pg_get_function_identity_arguments(oid) || ')', pg_get_function_result(oid), false
    from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype`;
  return new Map(rows.map(({ name, ...rest }) => [name, rest]));
}

function brokenBy(before: Catalog, after: Catalog): readonly string[] {
  const tables = new Set([...before.keys()].map((name) => name.split(".")[0]));
  const gone = [...before].flatMap(([name, { type }]) => {
    const now = after.get(name);
    if (now === undefined) return [`${name} is gone`];
    return now.type === type ? [] : [`${name} is ${now.type} and was ${type}`];
  });
  const demanded = [...after]
    .filter(([name, now]) => now.demanded && before.get(name)?.demanded !== true)
    .filter(([name]) => tables.has(name.split(".")[0]))
    .map(([name]) => `${name} is demanded`);
  return [...gone, ...demanded];
}

async function emptyDatabase(): Promise<postgres.Sql> {
  const admin = postgres(inject("databaseUrl"), { max: 1 });
  const name = `test_${randomBytes(8).toString("hex")}`;
  await admin`create database ${admin(name)}`;
  const sql = postgres(databaseOf(inject("databaseUrl"), name), {
    max: 1,
    onnotice: () => undefined,
  });
  onTestFinished(async () => {
    await sql.end();
    await admin`drop database ${admin(name)} with (force)`;
    await admin.end();
  });
  return sql;
}
