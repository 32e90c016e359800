import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tpp } from "@/drizzle/schema/drawbridge";
import { type Connection, connect, type Database } from "./client";
import { codeOf } from "./guard";
import { exampleTpp, now, storesOf, type TestDatabase, testDatabase } from "./testing";
import { preparedIn } from "./testing-database";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await storesOf(database.db).tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const byId = (db: Database) =>
  db
    .select({ name: tpp.name })
    .from(tpp)
    .where(eq(tpp.id, sql.placeholder("id")))
    .prepare("tpp_by_id");
const byHand = ({ $client }: Database, id: string) =>
  $client.run((tag) => tag`select name from tpp where id = ${id}`);

/** Asks the same three times, by Drizzle and by hand, over one connection; what that connection has prepared then. */
async function preparedBy(url: string): Promise<number> {
  const bank: Connection = connect(url, { max: 1 });
  try {
    const statement = byId(bank.db);
    for (let time = 0; time < 3; time += 1) {
      expect(await statement.execute({ id: exampleTpp.id })).toEqual([{ name: exampleTpp.name }]);
      expect([...(await byHand(bank.db, exampleTpp.id))]).toEqual([{ name: exampleTpp.name }]);
    }
    return (await preparedIn(bank)).size;
  } finally {
    await bank.close();
  }
}

describe("the statements of a request", () => {
  it("are prepared once for a connection, however often they are sent", async () => {
    expect(await preparedBy(database.url)).toBe(2);
  });

  it("are not where DATABASE_URL says so, for a pooler that shares connections", async () => {
    expect(await preparedBy(`${database.url}?prepare=false`)).toBe(0);
  });
});

describe("what the database says", () => {
  it("is read alike whether Drizzle asks or a statement by hand: times and days as texts, JSON as its value", async () => {
    const values = sql`select ${now.toISOString()}::timestamptz as at, date '2026-11-20' as day, '{"a":[1]}'::jsonb as json`;
    const [row] = await database.db.execute(values);
    const [same] = await database.db.$client.run(
      (tag) =>
        tag`select ${now}::timestamptz as at, date '2026-11-20' as day, '{"a":[1]}'::jsonb as json`,
    );
    expect(row).toEqual(same);
    expect(row).toMatchObject({ day: "2026-11-20", json: { a: [1] } });
    expect(new Date(String(row?.["at"]))).toEqual(now);
  });

  it("keeps its code, from the driver and from Drizzle", async () => {
    const wrong = database.db.$client.run((tag) => tag`select ${"x"}::int`);
    expect(await wrong.catch(codeOf)).toBe("22P02");
    expect(await database.db.execute(sql`select ${"x"}::int`).catch(codeOf)).toBe("22P02");
  });

  it("belongs to the transaction that asked, a prepared statement too", async () => {
    const rename = (db: Pick<Database, "update">) =>
      db
        .update(tpp)
        .set({ name: "Other" })
        .where(eq(tpp.id, exampleTpp.id))
        .prepare("rename")
        .execute();
    const done = database.db.transaction(async (tx) => {
      await rename(tx);
      throw new Error("undone");
    });
    await expect(done).rejects.toThrow("undone");
    expect(await byId(database.db).execute({ id: exampleTpp.id })).toEqual([
      { name: exampleTpp.name },
    ]);
  });
});
