import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import { submitDuePayments } from "@/lib/domain/payments";
import { listEvents } from "@/lib/postgres/events";
import {
  challengedPayment,
  exampleTpp,
  minutesOn,
  now,
  payer,
  storesOf,
  submissionPorts,
  type TestDatabase,
  testDatabase,
} from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { operator } from "./operator";
import { runBank } from "./testing";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await storesOf(database.db).tpps.remember(exampleTpp, now);
});
afterAll(() => database.close());

const bank = (...args: readonly string[]) =>
  runBank(["reconcile", ...args], {
    CORE_BANK_URL: "",
    DATABASE_URL: database.url,
    DATA_DIR: path.join(tmpdir(), "drawbridge-nowhere"),
  });

it("npm run bank -- reconcile prints a line for each payment that is not the same on both sides", async () => {
  const { db } = database;
  const decision = await challengedPayment(storesOf(db), await payer(db));
  await storesOf(db).authorisations.finalisePayment(decision);
  await submitDuePayments(submissionPorts(db), minutesOn(2));
  const since = ["--since", decision.at.toISOString()];
  expect(await bank(...since)).toEqual({ code: 0, stdout: "no differences\n", stderr: "" });
  await paymentExecution(db, aspspProfile).advance(minutesOn(2), 1);
  expect(await bank(...since)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${decision.paymentId}  here ACCP  core bank ACSP  behind here\ndifferences: 1\n`,
  });
  // The core bank's feed tells a change once no transaction of the cluster, as of another test, is older.
  await vi.waitFor(async () => {
    const mended = await bank(...since, "--mend");
    expect(mended).toEqual({ code: 0, stdout: "no differences\n", stderr: "" });
  }, 60_000);
  const [commands, changes] = await Promise.all(
    (["operator-command", "payment-status"] as const).map((kind) =>
      listEvents(db, { kind }, { limit: 9 }),
    ),
  );
  expect(commands?.[0]?.line).toContain(`"detail":{"command": "reconcile --mend"}`);
  expect(changes?.at(-1)?.line).toContain(`"actor":"${operator()}"`);
  expect((await bank("--since", "yesterday")).code).toBe(2);
});

it("a feed with changes that are malformed is never without differences", async () => {
  const core = createServer(({ url }, response) => {
    const changes = url === "/payments/changes" ? ["no change at all"] : [];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ changes, next: "1" }));
  }).listen(0, "127.0.0.1");
  await once(core, "listening");
  const CORE_BANK_URL = `http://127.0.0.1:${(core.address() as AddressInfo).port}`;
  const env = { CORE_BANK_URL, DATABASE_URL: database.url };
  const ended = await runBank(["reconcile", "--since", "2100-01-01T00:00:00Z"], env);
  core.close().closeAllConnections();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("changes of the core bank's feed are malformed, see the log");
});
