import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { type Lines, linesOf } from "./lines";
import type { Plan, Statement } from "./plan";
import { replay } from "./replay";

let database: TestDatabase;
let lines: Lines;

beforeAll(async () => {
  database = await testDatabase();
  await database.sql.unsafe("create table kept (id uuid primary key, note text)");
  lines = linesOf([database.sql]);
});
beforeEach(async () => void (await database.sql.unsafe("truncate kept")));
afterAll(() => database.close());

const keep = (tag = "INSERT 0 1"): Statement => ({
  kind: "statement",
  text: "insert into kept values ($1, $2)",
  protocol: "unnamed",
  types: [],
  parameters: [{ literals: ["", ""], slots: [0] }, "constant"],
  tag,
});
const plan = (waves: Plan["waves"]): Plan => ({
  slots: [{ kind: "uuid" }, { kind: "request-id" }],
  waves,
  answer: {
    status: 201,
    headers: [["x-request-id", { literals: ["", ""], slots: [1] }]],
    body: { literals: ['{"id":"', '"}'], slots: [0] },
  },
});
const rows = () => database.sql<{ id: string }[]>`select id from kept`;

it("a statement does what it did, and the answer names what it made", async () => {
  const requestId = randomUUID();
  const answer = await replay(lines, plan([[keep()]]), requestId);
  const [row] = await rows();
  expect(answer).toEqual({
    status: 201,
    headers: ["x-request-id", requestId],
    body: JSON.stringify({ id: row?.id }),
  });
});

it("each request makes its own", async () => {
  for (const _ of [1, 2]) await replay(lines, plan([[keep()]]), "none");
  expect(await rows()).toHaveLength(2);
});

it("a transaction is one: what fails in it leaves nothing", async () => {
  const twice = { kind: "transaction", options: "", waves: [[keep()], [keep()]] } as const;
  await expect(replay(lines, plan([[twice]]), "none")).rejects.toThrow("duplicate key");
  expect(await rows()).toHaveLength(0);
});

it("a statement that did something else than for the product ends the request", async () => {
  await expect(replay(lines, plan([[keep("INSERT 0 0")]]), "none")).rejects.toThrow(
    '"INSERT 0 1" instead of "INSERT 0 0"',
  );
});

it.each(["simple", "named"] as const)("a %s statement is sent as one", async (protocol) => {
  const select = { ...keep("SELECT 1"), text: "select 1", parameters: [], protocol };
  await expect(replay(lines, plan([[select, select]]), "none")).resolves.toBeDefined();
});
