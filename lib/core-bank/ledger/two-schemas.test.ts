import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { drawbridgeTables, ledgerTables, namesBothSides } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe("the tables of the ledger and of Drawbridge", () => {
  it("are all there is, each on one side", async () => {
    const rows = await database.sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p') and not relispartition`;
    expect([...ledgerTables, ...drawbridgeTables].toSorted()).toEqual(
      rows.map(({ name }) => name).toSorted(),
    );
  });

  it("have no foreign key between them", async () => {
    const keys = await database.sql<{ from: string; to: string }[]>`
      select conrelid::regclass::text as from, confrelid::regclass::text as to
      from pg_constraint where contype = 'f'`;
    expect(keys.length).toBeGreaterThan(10);
    const isLedgers = (table: string) => ledgerTables.includes(table);
    expect(keys.filter(({ from, to }) => isLedgers(from) !== isLedgers(to))).toEqual([]);
  });

  it("are named together by no function, and by no view", async () => {
    const texts = await database.sql<{ text: string }[]>`
      select prosrc as text from pg_proc where pronamespace = 'public'::regnamespace
      union all
      select definition from pg_views where schemaname = 'public'`;
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter(({ text }) => namesBothSides(text))).toEqual([]);
    expect(namesBothSides('select from "funds_consent" join "ledger_account" on true')).toBe(true);
  });
});
