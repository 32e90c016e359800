import { DrizzleQueryError, sql } from "drizzle-orm";
import { bigint, integer, json, PgDialect, pgTable, text } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { instant } from "@/drizzle/schema/columns";
import { isUnavailable } from "@/lib/domain/errors";
import { type Connection, connect, type Database } from "./client";
import { givenStatement, givenTable } from "./statements";
import { type TestDatabase, testDatabase } from "./testing";
import { preparedIn } from "./testing-database";

describe("given statement", () => {
  const parent = pgTable("parent", { name: text("name").primaryKey(), told: json("told") });
  const child = pgTable("child", { ofParent: text("of_parent"), bornAt: instant("born_at") });
  const parents = givenTable(parent);
  const children = givenTable(child);
  const bornAt = new Date("2026-11-20T10:00:00.123Z");

  let database: TestDatabase;
  let line: Connection;
  beforeAll(async () => {
    database = await testDatabase();
    await database.sql`create table parent (name text primary key, told json)`;
    await database.sql`create table child (of_parent text not null, born_at timestamptz(3))`;
    await database.sql`grant all on parent, child to public`;
    line = connect(database.url, { max: 1 });
  });
  beforeEach(async () => {
    await database.sql`truncate parent, child`;
  });
  afterAll(async () => {
    await line.close();
    await database.close();
  });

  /** A parent, unless its name is taken, and its child: the two inserts in their order. */
  function family(db: Database) {
    const born = db.$with("born", {}).as(sql`${parents.insert()}
    on conflict (name) do nothing returning name`);
    const following = db.$with("following", {}).as(children.insert(sql`from born`));
    return db.with(born, following).select({ name: sql`name` }).from(sql`born`);
  }
  const familyOn = (db: Database) => givenStatement(db, family(db), [parents, children]);

  describe("a statement with the rows it is given", () => {
    it("keeps each in its table, yields what comes back, and nothing where there is a conflict", async () => {
      const keep = familyOn(database.db);
      expect(await keep({ name: "Ana", told: { a: [1] } }, { ofParent: "Ana", bornAt })).toEqual([
        ["Ana"],
      ]);
      expect(await keep({ name: "Ana" }, { ofParent: "Ana" })).toEqual([]);
      expect(await database.db.select().from(parent)).toEqual([{ name: "Ana", told: { a: [1] } }]);
      expect(await database.db.select().from(child)).toEqual([{ ofParent: "Ana", bornAt }]);
    });

    it("is prepared once for a connection", async () => {
      const keep = familyOn(line.db);
      for (const name of ["Ana", "Mihai", "Elena"]) await keep({ name }, { ofParent: name });
      expect([...(await preparedIn(line))]).toEqual([expect.stringContaining('with "born"')]);
    });
  });

  describe("what fails", () => {
    it("tells what the database said, as any other statement does", async () => {
      const failed = familyOn(database.db)({ name: "Ana" }, { ofParent: null });
      await expect(failed).rejects.toBeInstanceOf(DrizzleQueryError);
      await expect(failed).rejects.toMatchObject({ cause: { code: "23502" } });
      expect(await database.db.select().from(parent)).toEqual([]);
    });

    it("is a database that is away where it is away", async () => {
      const nowhere = connect("postgres://nobody@127.0.0.1:1/none", { max: 1 });
      const failed = familyOn(nowhere.db)({ name: "Ana" }, { ofParent: "Ana" });
      await expect(failed).rejects.toSatisfy(isUnavailable);
      await nowhere.close();
    });

    it("is found before it is sent when the values would go to other places", () => {
      const statement = family(database.db);
      const other = () => givenStatement(database.db, statement, [children, parents]);
      expect(other).toThrow("the values of a statement have another order");
      const fewer = () => givenStatement(database.db, statement, [parents]);
      expect(fewer).toThrow("the values of a statement have another order");
      const more = () => givenStatement(database.db, statement, [parents, children, children]);
      expect(more).toThrow("the values of a statement have another order");
    });
  });
});

describe("given row", () => {
  const thing = pgTable("thing", {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    name: text("its_name").notNull(),
    madeAt: instant("made_at"),
    told: json("told"),
    count: integer("count").notNull().default(0),
  });
  const things = givenTable(thing);
  const madeAt = new Date("2026-11-20T10:00:00.123Z");

  it("has a place for every column without a default, in the order of its values", () => {
    const { sql: statement } = new PgDialect().sqlToQuery(things.insert(sql`from other`));
    expect(statement.replace(/\s+/g, " ")).toBe(
      'insert into "thing" ("its_name", "made_at", "told") select $1, $2, $3 from other',
    );
  });

  it("writes each value as its column does, and null for what is not given", () => {
    expect(things.places).toEqual(["thing.name", "thing.madeAt", "thing.told"]);
    expect(things.values({ told: { a: [1] }, name: "one", madeAt })).toEqual([
      "one",
      "2026-11-20T10:00:00.123Z",
      '{"a":[1]}',
    ]);
    const nothing = { name: "one", madeAt: undefined, told: null };
    expect(things.values(nothing)).toEqual(["one", null, null]);
  });

  it("loses nothing: a value for a column with a default is an error", () => {
    expect(() => things.values({ name: "one", count: 2 })).toThrow("thing.count cannot be given");
  });
});
