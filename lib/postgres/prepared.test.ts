import { DrizzleQueryError, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as schema from "@/drizzle/schema";
import { tpp } from "@/drizzle/schema/drawbridge";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { addAccount, addCustomer } from "@/lib/core-bank/ledger/testing";
import type { PsuId, TppId } from "@/lib/domain/identifiers";
import { type Connection, connect, type Database } from "./client";
import { executingPrepared } from "./prepared";
import { exampleTpp, now, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";

let database: TestDatabase;
let psuId: PsuId;
beforeAll(async () => {
  database = await testDatabase();
  psuId = await addCustomer(database.db, "Ana Popescu");
  await addAccount(database.db, { [psuId]: "owner" });
});
afterAll(() => database.close());

/** Asks the same three times, over one connection; what that connection has prepared then. */
async function preparedBy(url: string): Promise<readonly string[]> {
  const bank: Connection = connect(url, { max: 1 });
  try {
    const source = ledger(bank.db);
    for (let time = 0; time < 3; time += 1) {
      expect(await source.accountsOf(psuId)).toHaveLength(1);
    }
    const rows = await bank.sql.unsafe("select statement from pg_prepared_statements");
    return rows.map((row) => String(row["statement"]));
  } finally {
    await bank.close();
  }
}

describe("the statements of a request", () => {
  it("are prepared once for a connection, however often they are sent", async () => {
    const prepared = await preparedBy(database.url);
    expect(prepared).toEqual([expect.stringContaining("ledger_account")]);
  });

  it("are not where DATABASE_URL says so, for a pooler that shares connections", async () => {
    expect(await preparedBy(`${database.url}?prepare=false`)).toEqual([]);
  });
});

describe("a prepared statement", () => {
  const byId = (db: Database) =>
    db
      .select({ name: tpp.name })
      .from(tpp)
      .where(eq(tpp.id, sql.placeholder("id")))
      .prepare("tpp_by_id");
  const sumOf = (db: Database) =>
    db.select({ sum: sql`${sql.placeholder("addend")}::int + ${2}` }).from(sql`(values (1)) one`);

  it("takes the values of each execution, and the fixed ones", async () => {
    const statement = sumOf(database.db).prepare("sum");
    expect(await statement.execute({ addend: 1 })).toEqual([{ sum: 3 }]);
    expect(await statement.execute({ addend: 40 })).toEqual([{ sum: 42 }]);
  });

  it("encodes a value for the column that it is written to", async () => {
    const { name, authorityName, authorityId } = exampleTpp;
    const changedAt = new Date("2027-01-02T03:04:05.678Z");
    const insert = database.db
      .insert(tpp)
      .values({
        id: sql.placeholder("id"),
        changedAt: sql.placeholder("changedAt"),
        roles: ["PSP_AI"],
        ...{ name, authorityName, authorityId },
      })
      .prepare("insert");
    const id = "PSDRO-NBR-2027" as TppId;
    await insert.execute({ id, changedAt });
    expect(await database.db.select().from(tpp).where(eq(tpp.id, id))).toMatchObject([
      { id, changedAt },
    ]);
  });

  it.each([
    [20, { doubled: 40, said: "20" }],
    [null, { doubled: null, said: null }],
  ])("takes a value for all places of its name: %s", async (given, found) => {
    const value = sql.placeholder("value");
    const statement = database.db
      .select({ doubled: sql`${value}::int + ${value}`, said: sql`(${value}::int)::text` })
      .from(sql`(values (1)) one`)
      .prepare("places");
    expect(await statement.execute({ value: given })).toEqual([found]);
  });

  it("is refused by PostgreSQL where one name stands for two types", async () => {
    const value = sql.placeholder("value");
    const one = sql`${value}::int = 1 and ${value} = '1'::text`;
    const statement = database.db.select({ one }).from(sql`(values (1)) one`).prepare("types");
    await expect(statement.execute({ value: "1" })).rejects.toMatchObject({
      cause: { code: "42883" },
    });
  });

  it.each(["ours", "Drizzle's"])("wants each of its values: %s", async (whose) => {
    const db = whose === "ours" ? database.db : drizzle(database.sql, { schema });
    await expect(byId(db).execute({})).rejects.toThrow('No value for placeholder "id"');
    expect(await byId(db).execute({ id: null })).toEqual([]);
  });

  it("fails as Drizzle's do: with its text and values, and the driver's error as the cause", async () => {
    const failures = [database.db, drizzle(database.sql, { schema })].map((db) =>
      sumOf(db)
        .prepare("sum")
        .execute({ addend: "x" })
        .catch((error: unknown) => error),
    );
    const [ours, drizzles] = await Promise.all(failures);
    expect(ours).toBeInstanceOf(DrizzleQueryError);
    expect(ours).toMatchObject({ cause: { code: "22P02" }, params: ["x", 2] });
    expect(String(ours)).toBe(String(drizzles));
  });

  it("lets go of the driver's rows, which the driver would keep", async () => {
    const answered: unknown[] = [];
    const client = new Proxy(database.sql, {
      get: (sql, name) => {
        if (name !== "unsafe") return Reflect.get(sql, name);
        return (...given: Parameters<typeof sql.unsafe>) => {
          const asked = sql.unsafe(...given);
          const values = async () => {
            const rows = await asked.values();
            answered.push(rows);
            return rows;
          };
          return { ...asked, values };
        };
      },
    });
    const db = executingPrepared(drizzle(database.sql, { schema }), client);
    expect(await sumOf(db).prepare("sum").execute({ addend: 1 })).toEqual([{ sum: 3 }]);
    expect(answered).toEqual([[]]);
  });

  it("belongs to its transaction when it was prepared in one", async () => {
    await storesOf(database.db).tpps.remember(exampleTpp, now);
    const rename = (db: Pick<Database, "update">, name: string) =>
      db.update(tpp).set({ name }).where(eq(tpp.id, exampleTpp.id)).prepare("rename").execute();
    const done = database.db.transaction(async (tx) => {
      await rename(tx, "Other");
      throw new Error("undone");
    });
    await expect(done).rejects.toThrow("undone");
    expect(await byId(database.db).execute({ id: exampleTpp.id })).toEqual([
      { name: exampleTpp.name },
    ]);
    await rename(database.db, "Other");
    expect(await byId(database.db).execute({ id: exampleTpp.id })).toEqual([{ name: "Other" }]);
  });
});
