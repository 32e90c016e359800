import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as schema from "@/drizzle/schema";
import { executingPrepared } from "@/lib/postgres/prepared";
import type { TestDatabase } from "@/lib/postgres/testing";
import { type Asked, recorded } from "@/lib/postgres/testing-statements/recorded";
import { tokenClient } from "./testing/token-client";

const asked: Asked[] = [];
const noting = (database: TestDatabase): TestDatabase => {
  const sql = recorded(database.sql, (one) => asked.push(one));
  return { ...database, sql, db: executingPrepared(drizzle(sql, { schema }), sql) };
};

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient(noting);
});
afterAll(() => client.bank.close());

/** PostgreSQL is asked for their types each time, and what is to go over their connection waits meanwhile. */
const unprepared = () =>
  asked.filter(({ params, prepared }) => params.length > 0 && !prepared).map(({ text }) => text);

it("a code is redeemed, and a token refreshed, by statements that are prepared", async () => {
  const { back } = await client.authorised({ recurringIndicator: true });
  asked.length = 0;
  const redeemed = await client.redeem(back);
  expect(redeemed.status).toBe(200);
  expect(unprepared()).toEqual([]);
  expect(asked.length).toBeGreaterThan(5);

  asked.length = 0;
  expect((await client.refresh(await redeemed.json())).status).toBe(200);
  expect(unprepared()).toEqual([]);
  expect(asked.length).toBeGreaterThan(5);
});
