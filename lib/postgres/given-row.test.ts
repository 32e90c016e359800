import { sql } from "drizzle-orm";
import { bigint, integer, json, PgDialect, pgTable, text } from "drizzle-orm/pg-core";
import { expect, it } from "vitest";
import { instant } from "@/drizzle/schema/columns";
import { givenTable } from "./given-row";

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
