import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Config } from "@/lib/config";
import { addAccount, addCustomer, addEntries, bookedEntry } from "@/lib/core-bank/ledger/testing";
import {
  duePayment,
  money,
  now,
  stateOf,
  statusesOf,
} from "@/lib/core-bank/ledger/testing-payments";
import type { AccountId, PaymentId } from "@/lib/domain/identifiers";
import { sandboxClock } from "@/lib/postgres/sandbox-clock";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { startExecution } from "./execution";

let database: TestDatabase;
let settings: Config;
let debtor: AccountId;
beforeAll(async () => {
  database = await testDatabase();
  settings = { DATABASE_URL: database.url, SANDBOX: true } as Config;
  const psu = await addCustomer(database.db, "Ana Popescu");
  debtor = await addAccount(database.db, { [psu]: "owner" });
  await addEntries(database.db, debtor, [{ ...bookedEntry(1), amountMinor: 1_000_000n }]);
});
afterAll(() => database.close());

const instant = () =>
  duePayment(database.db, {
    debtor,
    product: "instant-sepa-credit-transfers",
    amountMinor: 1_000n,
    currency: money("RON"),
  });
const statusOf = async (id: PaymentId) => (await stateOf(database.db, id)).status;
async function reached(id: PaymentId, status: string): Promise<void> {
  while ((await statusOf(id)) !== status) await sleep(20);
}

test("what is due is executed with the server's start, by the sandbox's clock", async () => {
  const id = await instant();
  const clock = sandboxClock(database.db);
  await clock.moveTo(new Date(now.getTime() - 60_000));
  await startExecution(settings).finish();
  expect(await statusOf(id)).toBe("ACCP");
  await clock.moveTo(now);
  const running = startExecution(settings);
  await reached(id, "ACCC");
  await running.finish();
});

test("what becomes due while servers run is executed within seconds, each step once", async () => {
  const servers = [1, 2, 3, 4].map(() => startExecution(settings));
  await sleep(100);
  const ids = await Promise.all(Array.from({ length: 12 }, instant));
  await Promise.all(ids.map((id) => reached(id, "ACCC")));
  await Promise.all(servers.map(({ finish }) => finish()));
  const all = ["ACCC", "ACCP", "ACSC", "ACSP", "ACTC", "RCVD"];
  for (const id of ids) expect(await statusesOf(database.db, id)).toEqual(all);
});

test("a server that has been stopped executes nothing more", async () => {
  const server = startExecution(settings);
  await server.finish();
  const id = await instant();
  await sleep(1_500);
  expect(await statusOf(id)).toBe("ACCP");
});
