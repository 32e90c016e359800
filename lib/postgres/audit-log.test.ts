import { afterAll, beforeAll, expect, test } from "vitest";
import { auditLog } from "./audit-log";
import { exampleTpp, minutesOn, now } from "./samples";
import { type TestDatabase, testDatabase } from "./testing";
import { newRequestId } from "./testing-payment-samples";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test("B9: what was noticed is kept in its order, as often as it happened", async () => {
  const { record } = auditLog(database.db);
  const event = { kind: "idempotency-mismatch", tppId: exampleTpp.id, at: now } as const;
  const requestId = newRequestId();
  await record({ ...event, requestId });
  await record({ ...event, requestId });
  await record({ ...event, requestId, at: minutesOn(1) });
  const rows = await database.sql`select at, kind, tpp_id, request_id from audit_event order by id`;
  const kept = { kind: event.kind, tpp_id: exampleTpp.id, request_id: requestId };
  const instants = rows.map(({ at, ...row }) => ({ ...row, at: new Date(at) }));
  expect(instants).toEqual([
    { ...kept, at: now },
    { ...kept, at: now },
    { ...kept, at: minutesOn(1) },
  ]);
});
