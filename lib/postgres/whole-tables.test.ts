import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { withCoreFaults } from "@/lib/core-bank/ledger/core-faults";
import { addAccount, addCustomer, addPsu, namesBothSides } from "@/lib/core-bank/ledger/testing";
import { type Iban, newPaymentId } from "@/lib/domain/values";
import { sweep } from "@/lib/server/jobs";
import { aspspProfile } from "@/lib/testing-profile";
import { addRequestCounts } from "./request-counts";
import { exampleTpp, now, type TestDatabase, testDatabase } from "./testing";
import { type Asked, doNotGrow, manyRows, planOf, preparedIn, recorder } from "./testing-database";
import {
  authorisationPages,
  bankItself,
  longAgo,
  ownChannel,
  payments,
  tppRequests,
  tppSender,
  watchedStores,
} from "./testing-statements";

const ROWS_OF_EACH = 5_000;

let database: TestDatabase;
const { asked, debug } = recorder();
let prepared: ReadonlySet<string>;
let unasked: ReadonlySet<string>;
let counts: ReadonlyMap<string, number>;
let emptyMonths: readonly string[];

/** Everything is asked once of a bank that is nearly empty, and planned in one that is not. */
beforeAll(async () => {
  database = await testDatabase({ debug, max: 1 });
  const { db, sql } = database;
  const { stores, unasked: left } = watchedStores(db);
  unasked = left;
  await stores.tppRegister.remember(exampleTpp, now);
  const psuId = await addCustomer(db, "Ana Popescu");
  await addPsu(db, "Elena Ionescu", "elena");
  const accountId = await addAccount(db, { [psuId]: "owner" }, { iban: "RO49" as Iban });
  await sql`insert into standing_order (id, account_id, amount_minor, start_on, frequency)
    values (gen_random_uuid(), ${accountId}, -1, '2026-11-01', 'Monthly')`;
  await sql`insert into day_count values ('2026-11-20', 'read', ${exampleTpp.id}, 'accounts', 'attended', 1)`;
  await sql`insert into consent_count values (${exampleTpp.id}, 'AIS', 'valid', 1)`;
  await sql`insert into imported_statement values (${accountId}, '1', 0, 0, now())`;
  await sql`insert into sandbox_namespace values (${exampleTpp.id}, null, null, 0)`;
  await sql`insert into sandbox_tpp_clock values (${exampleTpp.id}, 60)`;

  asked.length = 0;
  const tpp = await tppSender(stores, () => asked.length);
  await tppRequests(db, stores, tpp.send);
  tpp.stop();
  counts = tpp.counts;
  await ownChannel(stores, psuId);
  await authorisationPages(database, stores);
  await payments(database, stores);
  await bankItself(stores, psuId);
  await stores.tppRegister.hasQwacFor("PSP_AI", exampleTpp.id, now);
  const sandbox = withCoreFaults(ledger(db, aspspProfile), db, 0);
  await sandbox.accounts({ customerId: psuId, ids: [accountId] });
  await sandbox.limits(psuId, now);
  await sandbox.payment(newPaymentId());
  const counted = { minute: new Date(), area: "aisp", outcome: "granted" } as const;
  await addRequestCounts(
    db.$client.run,
    [{ ...counted, requests: 1, tookMicroseconds: 1 }],
    "Europe/Bucharest",
  );
  await sweep(db, longAgo);
  prepared = await preparedIn(database);
  await manyRows(sql, ROWS_OF_EACH);
  const empty = await sql<{ name: string }[]>`
    select relname as name from pg_class where relispartition and reltuples <= 0`;
  emptyMonths = empty.map(({ name }) => name);
});
afterAll(() => database.close());

/**
 * A country has some hundred TPPs, of which 500 at most have a clock of their own; messages that nobody is to get go all
 * at once. Events are held by scale.test.ts.
 */
const readable = [...doNotGrow, "tpp", "webhook", "sandbox_tpp_clock"];

/** The tables that grow and that the statement would read from end to end. */
async function readWhole({ text, params }: Asked): Promise<readonly string[]> {
  const plan = prepared.has(text)
    ? await genericPlan(text)
    : await planOf(database, { text, params });
  return tablesRead(plan);
}

function tablesRead(plan: string): readonly string[] {
  const tables = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table = ""]) => table);
  const isFine = (table: string) => readable.includes(table) || emptyMonths.includes(table);
  return tables.filter((table) => !(isFine(table) || /^event_/.test(table)));
}

/** That of a prepared statement, whatever it is given. */
async function genericPlan(text: string): Promise<string> {
  const rows = await database.sql.unsafe(`explain (generic_plan) ${text}`);
  return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
}

describe("no request, page or sweep reads a table from end to end", () => {
  it("in any statement that it sends", async () => {
    const found: string[] = [];
    const each = new Map(asked.map((one) => [one.text, one]));
    for (const statement of each.values()) {
      const tables = await readWhole(statement);
      if (tables.length > 0) found.push(`${tables.join()}: ${statement.text}`);
    }
    expect(found).toEqual([]);
    expect(each.size).toBeGreaterThan(120);
  });

  it("nor one of Drawbridge together with one of the embedded ledger", () => {
    expect(asked.map(({ text }) => text).filter(namesBothSides)).toEqual([]);
  });

  it("and what is sent most often sends two or three", () => {
    const accounts = "GET /aisp/v1/accounts";
    expect(Object.fromEntries(counts)).toMatchObject({
      [accounts]: 3,
      [`${accounts}/{accountId}/balances`]: 3,
      [`${accounts}/{accountId}/transactions`]: 3,
      "POST /cbpii/v1/funds-confirmations": 3,
      "POST /aisp/v1/consents": 2,
      "POST /cbpii/v2/consents/confirmation-of-funds": 2,
      "POST /pisp/v1/{paymentService}/{paymentProduct}": 2,
    });
  });

  it("and there is nothing to send that was not sent here", () => {
    expect([...unasked]).toEqual([]);
  });

  it.each([
    ["a condition without an index", "select from access_log where account_id = $1"],
    ["no condition", "select count(*) from ledger_entry"],
    ["an update without an index", "update psu_session set revoked_at = now() where psu_id = $1"],
  ])("found: %s", async (_what, text) => {
    expect(tablesRead(await genericPlan(text))).toHaveLength(1);
  });
});
