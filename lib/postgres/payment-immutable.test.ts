import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditLog } from "./audit-log";
import { exampleTpp, now, type Stores, storesOf } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { initiation } from "./testing-payment-samples";

let database: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  database = await testDatabase();
  stores = storesOf(database.db);
  await stores.tpps.remember(exampleTpp, now);
  const begun = initiation();
  await stores.payments.initiate(begun);
  const event = { kind: "idempotency-mismatch", at: now } as const;
  await auditLog(database.db).record({ ...event, ...begun.key });
});
afterAll(() => database.close());

const immutable = ["payment", "payment_initiation", "payment_status_change", "audit_event"];
const rows = (table: string) => database.sql`select * from ${database.sql(table)}`;

describe.each([...immutable, "payment_state"])("B14: of %s", (table) => {
  const refusal = `a row of ${table} is never changed or removed`;

  test("no row is removed", async () => {
    const before = await rows(table);
    await expect(database.sql`delete from ${database.sql(table)}`).rejects.toThrow(refusal);
    expect(await rows(table)).toEqual(before);
    expect(before).not.toEqual([]);
  });

  test("not all rows at once are removed", async () => {
    const emptied = database.sql`truncate ${database.sql(table)} cascade`;
    await expect(emptied).rejects.toThrow(refusal);
    expect(await rows(table)).not.toEqual([]);
  });
});

describe.each(immutable)("B14: of %s", (table) => {
  test("no column is changed", async () => {
    const before = await rows(table);
    const columns = Object.keys(before[0] ?? {}).filter((column) => column !== "id");
    expect(columns).not.toEqual([]);
    for (const column of columns) {
      const name = database.sql(column);
      await expect(
        database.sql`update ${database.sql(table)} set ${name} = ${name}`,
      ).rejects.toThrow(`a row of ${table} is never changed or removed`);
    }
    expect(await rows(table)).toEqual(before);
  });
});

test("a state stays with its payment", async () => {
  const other = initiation();
  await stores.payments.initiate(other);
  const moved = database.sql`update payment_state set payment_id = ${other.started.payment.id}`;
  await expect(moved).rejects.toThrow("no payment goes from RCVD to RCVD");
});
