import { isValidBIC, isValidIBAN } from "ibantools";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { psuDirectory } from "@/lib/core-bank/psu-directory";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { customer, ledgerAccount, ledgerEntry, standingOrder } from "../../drizzle/schema/ledger";
import { fillDemoBank } from "./demo-bank";

const now = new Date("2026-11-20T10:00:00Z");
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await Promise.all([1, 2, 3, 4].map(() => fillDemoBank(database.url, now)));
});
afterAll(() => database.close());

async function contents() {
  const { db } = database;
  return [
    await db.select().from(customer),
    await db.select().from(ledgerAccount),
    await db.select().from(ledgerEntry),
    await db.select().from(standingOrder),
  ];
}

describe("the demo bank", () => {
  it("is one bank, however many processes fill it at once", async () => {
    const [customers, accounts] = await contents();
    expect(customers).toHaveLength(6);
    expect(accounts).toHaveLength(12 + 3);
  });

  it("stays as it is when it is there", async () => {
    const before = await contents();
    await fillDemoBank(database.url, new Date("2027-03-01T10:00:00Z"));
    expect(await contents()).toEqual(before);
  });

  it("is there whole or not at all", async () => {
    const other = await testDatabase();
    try {
      await other.sql`alter table standing_order add check (amount_minor > 0)`;
      await expect(fillDemoBank(other.url, now)).rejects.toThrow();
      expect(await other.db.select().from(customer)).toEqual([]);
      expect(await other.db.select().from(ledgerAccount)).toEqual([]);
      expect(await other.db.select().from(ledgerEntry)).toEqual([]);
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
    const accounts = await database.db.select().from(ledgerAccount);
    const own = accounts.flatMap(({ iban, bic }) => (iban === null ? [] : [{ iban, bic }]));
    expect(own).toHaveLength(12);
    for (const { iban, bic } of own) {
      expect(iban).toMatch(/^RO\d{2}DRWB[0-9A-Z]{16}$/);
      expect(bic).toBe("DRWBROBU");
    }
    const entries = await database.db.select().from(ledgerEntry);
    const others = entries.flatMap(({ counterpartyIban: iban }) => iban ?? []);
    expect(
      [...own.map(({ iban }) => iban), ...others].filter((iban) => !isValidIBAN(iban)),
    ).toEqual([]);
    const bics = entries.flatMap(({ counterpartyBic: bic }) => bic ?? []);
    expect(bics.filter((bic) => !isValidBIC(bic) || bic.length !== 8)).toEqual([]);
  });
});
