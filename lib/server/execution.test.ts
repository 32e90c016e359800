import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Config } from "@/lib/config";
import type { PaymentId } from "@/lib/domain/identifiers";
import { money } from "@/lib/domain/payment/product-terms";
import { paymentStore } from "@/lib/postgres/payment-store";
import { exampleTpp, minutesOn, storesOf } from "@/lib/postgres/samples";
import { sandboxClock } from "@/lib/postgres/sandbox-clock";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { challengedPayment, payer } from "@/lib/postgres/testing-payment-samples";
import { startExecution } from "./execution";

let database: TestDatabase;
let settings: Config;
beforeAll(async () => {
  database = await testDatabase();
  settings = { DATABASE_URL: database.url, SANDBOX: true } as Config;
  await storesOf(database.db).tpps.remember(exampleTpp, minutesOn(0));
  await sandboxClock(database.db).moveTo(minutesOn(2));
});
afterAll(() => database.close());

/** An instant payment that its PSU has authorised, whose request was killed before it was submitted. */
async function authorised(): Promise<PaymentId> {
  const stores = storesOf(database.db);
  const order = { product: "instant-sepa-credit-transfers", amount: money("EUR", 1_000n) } as const;
  const decision = await challengedPayment(stores, await payer(database.db), order);
  expect(await stores.authorisations.finalisePayment(decision)).toBe("finalised");
  return decision.paymentId;
}
const statusOf = async (id: PaymentId) =>
  (await paymentStore(database.db).findOfTpp(id, exampleTpp.id))?.status;
async function reached(id: PaymentId, status: string): Promise<void> {
  while ((await statusOf(id)) !== status) await sleep(20);
}
const statusesOf = async (id: PaymentId) => {
  const rows = await database.sql`select status from payment_status_change
    where payment_id = ${id} order by status`;
  return rows.map(({ status }) => status);
};

test("what is in the outbox is submitted and executed with the server's start, by the sandbox's clock", async () => {
  const id = await authorised();
  const clock = sandboxClock(database.db);
  await clock.moveTo(minutesOn(1.5));
  await startExecution(settings).finish();
  expect(await statusOf(id)).toBe("ACTC");
  await clock.moveTo(minutesOn(2));
  const running = startExecution(settings);
  await reached(id, "ACCC");
  await running.finish();
});

test("what becomes due while servers run is executed within seconds, each step once", async () => {
  const servers = [1, 2, 3, 4].map(() => startExecution(settings));
  await sleep(100);
  const ids = await Promise.all(Array.from({ length: 12 }, authorised));
  await Promise.all(ids.map((id) => reached(id, "ACCC")));
  await Promise.all(servers.map(({ finish }) => finish()));
  const all = ["ACCC", "ACCP", "ACSC", "ACSP", "ACTC", "RCVD"];
  for (const id of ids) expect(await statusesOf(id)).toEqual(all);
  const debits = await database.sql`select from ledger_entry
    where entry_reference in ${database.sql(ids.map((id) => id.replaceAll("-", "")))}`;
  expect(debits).toHaveLength(ids.length);
});

test("a server that has been stopped executes nothing more", async () => {
  const server = startExecution(settings);
  await server.finish();
  const id = await authorised();
  await sleep(1_500);
  expect(await statusOf(id)).toBe("ACTC");
});
