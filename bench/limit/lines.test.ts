import postgres from "postgres";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { type Lines, linesOf } from "./lines";

let database: TestDatabase;
let drivers: readonly postgres.Sql[];
let lines: Lines;

beforeAll(async () => {
  database = await testDatabase();
  drivers = [1, 2, 3].map(() => postgres(database.url, { max: 1 }));
  lines = linesOf(drivers);
});
afterAll(async () => {
  await Promise.all(drivers.map((driver) => driver.end()));
  await database.close();
});

const pid = async (sql: postgres.Sql) => (await sql`select pg_backend_pid() as pid`)[0]?.["pid"];
const many = (length: number) =>
  Array.from({ length }, () => lines.statement(async (sql) => pid(sql)));
const distinct = (values: readonly unknown[]) => new Set(values).size;

it("statements of one turn go over one connection, unless they are too many", async () => {
  expect(distinct(await Promise.all(many(5)))).toBe(1);
  expect(distinct(await Promise.all(many(40)))).toBe(3);
});

it("transactions have connections to themselves, all but one, and each has its turn", async () => {
  const ends: (() => void)[] = [];
  const held = Array.from({ length: 5 }, () =>
    lines.transaction(async (sql) => {
      const own = await pid(sql);
      await new Promise<void>((resolve) => ends.push(resolve));
      return own;
    }),
  );
  for (let ended = 0; ended < 5; ended += 1) {
    await vi.waitFor(() => expect(ends).toHaveLength(Math.min(5, ended + 2)));
    const others = await Promise.all(many(20));
    expect(ended < 4 ? distinct(others) : 1).toBe(1);
    ends[ended]?.();
  }
  expect(distinct(await Promise.all(held))).toBe(2);
});

it("whoever fails leaves its connection to the next", async () => {
  const wrong = async (sql: postgres.Sql) => sql`select nothing`;
  for (let turn = 0; turn < 60; turn += 1) {
    const failing = turn % 2 === 0 ? lines.statement(wrong) : lines.transaction(wrong);
    await expect(failing).rejects.toThrow("nothing");
  }
  expect(distinct(await Promise.all(many(5)))).toBe(1);
});
