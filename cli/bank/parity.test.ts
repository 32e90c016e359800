import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { fillDemoBank } from "@/lib/sandbox/demo-bank";
import { demoCustomers } from "@/lib/sandbox/demo-bank-people";
import { runBank } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await fillDemoBank(database.url, new Date());
});
afterAll(() => database.close());

const parity = (...args: readonly string[]) =>
  runBank(["parity", ...args], {
    DATABASE_URL: database.url,
    DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere"),
  });

it("npm run bank -- parity: the demo bank fills each field of the contract that its ledger has, and an empty customer none", async () => {
  const { ana, elena } = demoCustomers;
  const { code, stdout, stderr } = await parity("--customer", ana.id, "--customer", elena.id);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^account\.displayName +2 of \d+$/m);
  expect(stdout).toMatch(/^details\.batch +\d+ of \d+$/m);
  const never = [...stdout.matchAll(/^(\S+) +never$/gm)].map(([, field]) => field);
  expect(never).toEqual([
    ...["standingOrder.executionRule", "standingOrder.withinAMonthFlag"],
    ...["standingOrder.monthsOfExecution", "standingOrder.multiplicator"],
    ...["standingOrder.limitAmount", "standingOrder.bankTransactionCode"],
  ]);
  expect((await parity("--customer", "nobody")).stdout).toMatch(/^details\.batch +never$/m);
  expect((await parity()).code).toBe(2);
});
