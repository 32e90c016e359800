import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TransactionQuery } from "@/lib/domain/account-access/account-source";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import type { AccountId, PsuId, TransactionId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledgerEntry } from "../../../drizzle/schema/ledger-entry";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  day,
  pendingEntry,
  today,
} from "./testing";
import { transactions } from "./transactions";

let database: TestDatabase;
let psu: PsuId;

beforeAll(async () => {
  database = await testDatabase();
  psu = await addCustomer(database.db, "Ana Popescu", "ana");
});
afterAll(() => database.close());

const booked = ["booked"] as const;
const both = ["booked", "pending"] as const;
const openAccount = () => addAccount(database.db, { [psu]: "owner" });
const always = { from: day("2025-01-01"), to: today };

type Range = Pick<TransactionQuery, "accountId" | "statuses" | "limit"> & Partial<TransactionQuery>;
const page = (query: Range) => transactions(database.db, { ...always, ...query });

/** What a TPP gets that follows every link to the next page. */
async function walk(query: Range): Promise<readonly Transaction[]> {
  const entries = await page(query);
  const last = entries.at(-1);
  if (last === undefined || entries.length < query.limit) return entries;
  return [...entries, ...(await walk({ ...query, after: last }))];
}

describe("pages of transactions", () => {
  it("come newest first, by day, then by id", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 15 }),
      async (days, limit) => {
        const accountId = await openAccount();
        await addEntries(
          database.db,
          accountId,
          days.map((ago) => bookedEntry(ago)),
        );
        const found = await walk({ accountId, statuses: booked, limit });
        const positions = found.map((entry) => `${entry.day} ${entry.id}`);
        expect(positions).toHaveLength(days.length);
        expect(positions).toEqual([...new Set(positions)].sort().reverse());
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  it("neither repeat nor skip an entry while new ones are booked", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 20, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 10, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      async (before, meanwhile, limit) => {
        const accountId = await openAccount();
        const known = await addEntries(
          database.db,
          accountId,
          before.map((ago) => bookedEntry(ago)),
        );
        const [found] = await Promise.all([
          walk({ accountId, statuses: booked, limit }),
          ...meanwhile.map((ago) => addEntries(database.db, accountId, [bookedEntry(ago)])),
        ]);
        expectEachOnce(found, known);
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });

  it("repeat nothing when pending entries are booked meanwhile, and skip none that stays as it is", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 20, maxLength: 50 }),
      fc.integer({ min: 1, max: 7 }),
      async (settles, limit) => {
        const accountId = await openAccount();
        const ids = await addEntries(
          database.db,
          accountId,
          settles.map((_, index) => pendingEntry(1 + (index % 5))),
        );
        const settling = ids.filter((_, index) => settles[index]);
        const [found] = await Promise.all([
          walk({ accountId, statuses: both, limit }),
          ...settling.map((id) =>
            database.db
              .update(ledgerEntry)
              .set({ status: "booked", bookedOn: today })
              .where(eq(ledgerEntry.id, id)),
          ),
        ]);
        expectEachOnce(
          found,
          ids.filter((id) => !settling.includes(id)),
        );
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });
});

describe("a page of transactions", () => {
  let accountId: AccountId;
  beforeAll(async () => {
    accountId = await openAccount();
    await database.sql`
      insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on,
        booked_on, bank_transaction_code, changed_at)
      select gen_random_uuid(), gen_random_uuid(), ${accountId},
        case when n % 100 = 0 then 'pending' else 'booked' end, n, date '2025-01-01' + n / 50,
        case when n % 100 = 0 then null else date '2025-01-01' + n / 50 end, 'PMNT', now()
      from generate_series(1, 20000) n`;
    await database.sql`analyze ledger_entry`;
  });

  it.each<readonly [string, TransactionQuery["statuses"], string]>([
    ["booked", ["booked"], "ledger_entry_page"],
    ["all", ["booked", "pending"], "ledger_entry_page"],
    ["pending", ["pending"], "ledger_entry_pending_page"],
  ])("of %s entries is read off an index, in its order", async (_what, statuses, index) => {
    const asked: { query: string; params: unknown[] }[] = [];
    const logger = {
      logQuery: (query: string, params: unknown[]) => asked.push({ query, params }),
    };
    const after = { day: day("2025-09-01"), id: randomUUID() as string as TransactionId };
    const query = { ...always, accountId, statuses, after, limit: 100 };
    expect(await transactions(drizzle(database.sql, { logger }), query)).toHaveLength(100);

    expect(asked).toHaveLength(1);
    const [{ query: text, params } = { query: "", params: [] }] = asked;
    const rows = await database.sql.unsafe(`explain ${text}`, params as string[]);
    const plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n");
    expect(plan).toMatch(new RegExp(`Index Scan Backward using ${index} `));
    expect(plan).not.toMatch(/Sort|Seq Scan on ledger_entry/);
  });
});

function expectEachOnce(found: readonly Transaction[], known: readonly TransactionId[]) {
  const ids = found.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(known.filter((id) => !ids.includes(id))).toEqual([]);
  const positions = found.map((entry) => `${entry.day} ${entry.id}`);
  expect(positions).toEqual([...positions].sort().reverse());
}
