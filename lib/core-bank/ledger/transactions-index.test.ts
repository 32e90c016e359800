import { randomUUID } from "node:crypto";
import { drizzle } from "drizzle-orm/postgres-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TransactionQuery } from "@/lib/domain/core-bank";
import type { AccountId, BooksState, TransactionId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { addAccount, addCustomer, day, otherSideOf, today } from "./testing";
import { transactions } from "./transactions";

let database: TestDatabase;
const always = { from: day("2025-01-01"), to: today };

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe("a page of transactions", () => {
  let accountId: AccountId;
  beforeAll(async () => {
    const psu = await addCustomer(database.db, "Ana Popescu");
    accountId = await addAccount(database.db, { [psu]: "owner" });
    const otherId = await otherSideOf(database.db, accountId);
    await database.sql`
      insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on,
        booked_on, bank_transaction_code, changed_at)
      select gen_random_uuid(), md5(n::text)::uuid, side.account_id,
        case when n % 20 = 0 then 'pending' else 'booked' end, n * side.sign,
        date '2025-01-01' + n / 50,
        case when n % 20 = 0 then null else date '2025-01-01' + n / 50 end, 'PMNT', now()
      from generate_series(1, 20000) n,
        (values (${accountId}::uuid, 1), (${otherId}::uuid, -1)) side (account_id, sign)`;
    await database.sql`analyze ledger_entry`;
  });

  const asked = async (query: TransactionQuery) => {
    const statements: { text: string; params: unknown[] }[] = [];
    const logQuery = (text: string, params: unknown[]) => statements.push({ text, params });
    const logged = drizzle(database.sql, { logger: { logQuery } });
    expect((await transactions(logged)(query))?.entries).toHaveLength(100);
    expect(statements).toHaveLength(1);
    const [{ text, params } = { text: "", params: [] }] = statements;
    const rows = await database.sql.unsafe(`explain ${text}`, params as string[]);
    return rows.map((row) => String(row["QUERY PLAN"])).join("\n");
  };

  it.each<readonly [string, TransactionQuery["statuses"], string]>([
    ["booked", ["booked"], "ledger_entry_page"],
    ["all", ["booked", "pending"], "ledger_entry_page"],
    ["pending", ["pending"], "ledger_entry_pending_page"],
  ])("of %s entries is read off an index, in its order", async (_what, statuses, index) => {
    const first = { ...always, accountId, statuses, limit: 100 };
    const backwards = new RegExp(`Index Scan Backward using ${index} `);
    const plan = await asked(first);
    expect(plan).toMatch(backwards);
    // An account's few owners are sorted, its entries are not.
    expect(plan).not.toMatch(/Sort Key: (?!ledger_account)|Seq Scan on ledger_entry/);

    const position = { day: day("2025-09-01"), id: randomUUID() as string as TransactionId };
    const after = { ...position, asOf: "1" as string as BooksState };
    const following = await asked({ ...first, after });
    expect(following).toMatch(backwards);
    expect(following).not.toMatch(/Seq Scan on ledger_entry/);
    if (statuses.some((status) => status === "pending")) {
      expect(following).toContain("ledger_entry_booked_since");
    }
  });
});
