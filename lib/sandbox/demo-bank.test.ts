import { isValidBIC, isValidIBAN } from "ibantools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { psuDirectory } from "@/lib/core-bank/ledger/psu-directory";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { fillDemoBank } from "./demo-bank";

const now = new Date("2026-11-20T10:00:00Z");
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await Promise.all([1, 2, 3, 4].map(() => fillDemoBank(database.url, now)));
});
afterAll(() => database.close());

const tables = ["psu", "customer", "ledger_account", "ledger_entry", "standing_order"];
const contents = ({ sql }: TestDatabase) =>
  Promise.all(tables.map((table) => sql`select * from ${sql(table)} order by id`));

describe("the demo bank", () => {
  it("is filled once, however many processes start at once", async () => {
    const [psus, customers, accounts] = await contents(database);
    expect(psus).toHaveLength(5);
    expect(customers).toHaveLength(6);
    expect(accounts).toHaveLength(12 + 3);
  });

  it("stays as it is when it is there", async () => {
    const before = await contents(database);
    await fillDemoBank(database.url, new Date("2027-03-01T10:00:00Z"));
    expect(await contents(database)).toEqual(before);
  });

  it("is filled completely or not at all", async () => {
    const other = await testDatabase();
    try {
      await other.sql`alter table standing_order add check (amount_minor > 0)`;
      await expect(fillDemoBank(other.url, now)).rejects.toThrow();
      expect((await contents(other)).flat()).toEqual([]);
      await other.sql`alter table standing_order drop constraint standing_order_amount_minor_check`;
      await fillDemoBank(other.url, now);
      expect((await contents(other)).map(({ length }) => length > 0)).toEqual(
        tables.map(() => true),
      );
    } finally {
      await other.close();
    }
  });

  it.each(["ana", "mihai", "elena", "dan", "vlad"])(
    "%s signs in with the password of the sandbox, kept as argon2id",
    async (userId) => {
      const directory = psuDirectory(database.db);
      const psu = await directory.verifyPassword(userId, `${userId}-sandbox`);
      expect(psu).toMatchObject({ userId });
      expect(await directory.verifyPassword(userId, "sandbox")).toBeUndefined();
      const rows = await database.sql`select password_hash from psu where user_id = ${userId}`;
      expect(String(rows[0]?.["password_hash"])).toMatch(/^\$argon2id\$/);
    },
  );

  it("the sum of all entries is zero in every currency, and within every transfer", async () => {
    const sums = await database.sql`
      select currency, sum(amount_minor)::text as sum, count(*)::int as entries
      from ledger_entry join ledger_account account on account.id = account_id
      group by currency order by currency`;
    expect(sums.map(({ currency, sum }) => [currency, sum])).toEqual([
      ["EUR", "0"],
      ["RON", "0"],
      ["USD", "0"],
    ]);
    const odd = await database.sql`
      select transfer_id from ledger_entry join ledger_account account on account.id = account_id
      group by transfer_id
      having sum(amount_minor) <> 0 or count(*) <> 2 or count(distinct currency) <> 1
        or count(distinct ledger_entry.status) <> 1`;
    expect(odd).toHaveLength(0);
  });

  it("every IBAN is a valid one, the bank's own with its code and BIC", async () => {
    const own = await database.sql<{ iban: string; bic: string }[]>`
      select iban, bic from ledger_account where iban is not null`;
    expect(own).toHaveLength(12);
    for (const { iban, bic } of own) {
      expect(iban).toMatch(/^RO\d{2}DRWB[0-9A-Z]{16}$/);
      expect(bic).toBe("DRWBROBU");
    }
    const entries = await database.sql<{ iban: string | null; bic: string | null }[]>`
      select counterparty_iban as iban, counterparty_bic as bic from ledger_entry`;
    const others = entries.flatMap(({ iban }) => iban ?? []);
    expect(
      [...own.map(({ iban }) => iban), ...others].filter((iban) => !isValidIBAN(iban)),
    ).toEqual([]);
    const bics = entries.flatMap(({ bic }) => bic ?? []);
    expect(bics.filter((bic) => !isValidBIC(bic) || bic.length !== 8)).toEqual([]);
  });
});
