import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { psuDirectory } from "@/lib/core-bank/ledger/psu-directory";
import type { BankAccount } from "@/lib/domain/accounts";
import type { AccountOfCustomer, CoreBank, TransactionQuery } from "@/lib/domain/core-bank";
import { addDays, dayIn } from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { fillDemoBank } from "./demo-bank";
import { demoCustomers } from "./demo-bank-people";

const now = new Date("2026-11-20T10:00:00Z");
const today = dayIn(aspspProfile.timeZone, now);
let database: TestDatabase;
let source: CoreBank;

beforeAll(async () => {
  database = await testDatabase();
  source = ledger(database.db, aspspProfile);
  await fillDemoBank(database.url, now);
});
afterAll(() => database.close());

type Held = BankAccount & AccountOfCustomer;

async function accountsOf(userId: string): Promise<readonly Held[]> {
  const psu = await psuDirectory(database.db).verifyPassword(userId, `${userId}-sandbox`);
  if (psu === undefined) return [];
  const accounts = await source.accountsOf(psu.id);
  return accounts.map((account) => ({ ...account, customerId: psu.id, accountId: account.id }));
}

async function entriesOf(account: Held | undefined, statuses: TransactionQuery["statuses"]) {
  if (account === undefined) throw new Error("no such account");
  const range = { from: addDays(today, -1_000), to: today, limit: 10_000 };
  return (await source.transactions({ ...account, statuses, ...range }))?.entries ?? [];
}

describe("Ana", () => {
  it("has a current account, three sub-accounts of one IBAN and the joint account, in this order", async () => {
    const accounts = await accountsOf("ana");
    expect(accounts.map(({ name, currency, isDefault }) => [name, currency, isDefault])).toEqual([
      ["Current account", "RON", true],
      ["Travel account EUR", "EUR", true],
      ["Travel account RON", "RON", false],
      ["Travel account USD", "USD", false],
      ["Household account", "RON", true],
    ]);
    expect(new Set(accounts.slice(1, 4).map(({ iban }) => iban)).size).toBe(1);
    expect(new Set(accounts.map(({ iban }) => iban)).size).toBe(3);
    for (const account of accounts) {
      expect((await entriesOf(account, ["booked"])).length).toBeGreaterThan(5);
    }
  });

  it("has at least 14 months and 450 booked entries on the current account, some pending", async () => {
    const [current] = await accountsOf("ana");
    const booked = await entriesOf(current, ["booked"]);
    expect(booked.length).toBeGreaterThanOrEqual(450);
    expect(booked.at(-1)?.day.localeCompare(addDays(today, -427))).toBe(-1);
    expect((await entriesOf(current, ["pending"])).length).toBeGreaterThanOrEqual(3);
    const references = booked.map(({ entryReference }) => entryReference);
    expect(new Set(references).size).toBe(booked.length);
  });

  it("has three standing orders, whose executions are among the entries", async () => {
    const [current] = await accountsOf("ana");
    const orders = (current && (await source.standingOrders(current)))?.standingOrders ?? [];
    expect(orders).toHaveLength(3);
    const executed = (await entriesOf(current, ["booked"])).filter(
      ({ bankTransactionCode }) => bankTransactionCode === "PMNT-ICDT-STDO",
    );
    for (const order of orders) {
      const mine = executed.filter((entry) => entry.counterparty.iban === order.counterparty.iban);
      expect(mine.length).toBeGreaterThanOrEqual(14);
      expect(new Set(mine.map(({ amount }) => amount.minorUnits))).toEqual(
        new Set([order.amount.minorUnits]),
      );
    }
  });

  it("has a savings and a loan account, which are never shown", async () => {
    const rows = await database.sql`
      select kind from ledger_account join account_owner on account_id = ledger_account.id
      join psu on psu.id = customer_id::text where user_id = 'ana' and kind <> 'current'
      order by kind`;
    expect(rows.map(({ kind }) => kind)).toEqual(["loan", "savings"]);
  });
});

describe("Mihai, Elena and Dan", () => {
  it("mihai has one account with 37.40 RON", async () => {
    const accounts = await accountsOf("mihai");
    expect(accounts).toHaveLength(1);
    const found = await source.balances(
      { customerId: demoCustomers.mihai.id, ids: accounts.map(({ id }) => id) },
      now,
    );
    const amounts = found.flatMap(({ balances }) => balances).map(({ amount }) => amount);
    const expected = { currency: "RON", minorUnits: 3_740n };
    expect(amounts).toEqual([expected, expected, expected]);
  });

  it("mihai may overdraw it by 500.00 RON, and sends EUR 1,000.00 at most in one payment", async () => {
    const [account] = await accountsOf("mihai");
    const rows = await database.sql`
      select available_minor::int, payment_limit_minor::int from account_funds, customer
      where account_id = ${account?.id ?? null} and customer.id = ${demoCustomers.mihai.id}`;
    expect(rows).toEqual([{ available_minor: 53_740, payment_limit_minor: 100_000 }]);
  });

  it("nobody else overdraws, or has a limit of their own", async () => {
    const [row] = await database.sql`select
      (select count(*)::int from ledger_account where overdraft_minor > 0) as accounts,
      (select count(*)::int from customer where payment_limit_minor is not null) as customers`;
    expect(row).toEqual({ accounts: 1, customers: 1 });
  });

  it("elena has the joint account with ana, a company account and a blocked one", async () => {
    const accounts = await accountsOf("elena");
    expect(accounts.map(({ usage, status, owners }) => [usage, status, owners])).toEqual([
      [
        "PRIV",
        "enabled",
        [
          { name: "Ana Popescu", role: "owner" },
          { name: "Elena Popescu", role: "owner" },
        ],
      ],
      [
        "ORGA",
        "enabled",
        [
          { name: "Elena Popescu", role: "legalRepresentative" },
          { name: "Popescu Grafic SRL", role: "owner" },
        ],
      ],
      ["PRIV", "blocked", [{ name: "Elena Popescu", role: "owner" }]],
    ]);
  });

  it("dan has nothing to share", async () => {
    expect(await accountsOf("dan")).toEqual([]);
    const rows = await database.sql`
      select kind from ledger_account join account_owner on account_id = ledger_account.id
      join psu on psu.id = customer_id::text where user_id = 'dan'`;
    expect(rows.map(({ kind }) => kind)).toEqual(["savings"]);
  });
});
