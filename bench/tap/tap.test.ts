import postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { openTap, type Tap } from "./tap";

let database: TestDatabase;
let tap: Tap;
let sql: postgres.Sql;

beforeAll(async () => {
  database = await testDatabase();
  tap = await openTap(database.url);
  sql = postgres(tap.url, { max: 2, fetch_types: false, onnotice: () => undefined });
});
afterAll(async () => {
  await sql.end();
  await tap.close();
  await database.close();
});

const during = async (work: () => Promise<unknown>) => (await tap.during(work)).seen;

it("a statement without parameters is seen as it was sent, with its outcome", async () => {
  expect(await during(() => sql.unsafe("select 1 union select 2"))).toMatchObject([
    { text: "select 1 union select 2", protocol: "simple", parameters: [], tag: "SELECT 2" },
  ]);
});

it("parameters are seen as texts, null as null, types as they were declared", async () => {
  const work = () => sql.unsafe("select $1::int, $2::text, $3::bool", ["7", null, true]);
  expect(await during(work)).toMatchObject([
    { protocol: "unnamed", parameters: ["7", null, "t"], types: [0, 0, 16], tag: "SELECT 1" },
  ]);
});

it("a prepared statement is seen each time, though its text goes over the wire once", async () => {
  const work = async () => {
    for (const value of ["1", "2"]) {
      await sql.unsafe("select $1::int + 1", [value], { prepare: true });
    }
  };
  expect(await during(work)).toMatchObject([
    { text: "select $1::int + 1", protocol: "named", parameters: ["1"] },
    { text: "select $1::int + 1", protocol: "named", parameters: ["2"] },
  ]);
});

it("a transaction is seen whole and on one connection", async () => {
  const seen = await during(() => sql.begin(async (tx) => tx`select 1`));
  expect(seen.map(({ text }) => text.trim())).toEqual(["begin", "select 1", "commit"]);
  expect(new Set(seen.map(({ connection }) => connection)).size).toBe(1);
});

it("statements that run side by side overlap, and those that wait do not", async () => {
  const slow = () => sql.unsafe("select pg_sleep(0.05)");
  const both = () => Promise.all([slow(), slow()]);
  // To connect may take longer than the statement.
  await both();
  const [first, second] = await during(both);
  expect(second?.startedAt).toBeLessThan(Number(first?.endedAt));
  const [before, after] = await during(async () => {
    await slow();
    await slow();
  });
  expect(after?.startedAt).toBeGreaterThan(Number(before?.endedAt));
});

it("a refused statement is seen as an error", async () => {
  const seen = await during(() => sql.unsafe("select 1 / 0").catch(() => undefined));
  expect(seen).toMatchObject([{ tag: "ERROR" }]);
});

it("what the server does after its answer is still seen", async () => {
  const later: Promise<unknown>[] = [];
  const seen = await during(async () => {
    setTimeout(() => later.push(sql.unsafe("select 'later'").execute()), 1);
  });
  expect(seen).toMatchObject([{ text: "select 'later'" }]);
  await Promise.all(later);
});
