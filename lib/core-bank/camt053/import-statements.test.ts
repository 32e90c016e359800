import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AccountReads } from "@/lib/domain/core-bank";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledger } from "../ledger/core-bank";
import { addCustomer, day } from "../ledger/testing";
import { changed, euro, importFile, november, october } from "./testing";

let database: TestDatabase;
let source: AccountReads;
let ana: PsuId;

beforeEach(async () => {
  database = await testDatabase();
  source = ledger(database.db);
  ana = await addCustomer(database.db, "Ana Popescu");
});
afterEach(() => database.close());

const load = (text: string) => importFile(database.db, text, ana);
const now = new Date("2026-11-20T10:00:00Z");

async function onlyAccount() {
  const [account, second] = await source.accountsOf(ana);
  if (account === undefined || second !== undefined) throw new Error("not one account");
  return account;
}

async function listOf(accountId: AccountId) {
  const report = await source.transactions({
    accountId,
    statuses: ["booked", "pending"],
    from: day("2026-01-01"),
    to: day("2026-12-31"),
    limit: 100,
  });
  return report?.entries ?? [];
}

async function balancesOf(id: AccountId) {
  const [known] = await source.balances([id], now);
  return known?.balances.map(({ amount }) => amount.minorUnits);
}

describe("an imported statement", () => {
  it("is read back through the account source: account, balances and every entry", async () => {
    expect(await load(october)).toMatchObject([
      { id: "4711-RON-2026-10", isNewAccount: true, isKnown: false, added: 9, unchanged: 0 },
    ]);
    const account = await onlyAccount();
    expect(account).toMatchObject({
      iban: "RO04XMPL0000000000004711",
      currency: "RON",
      bic: "XMPLROBU",
      name: "Cont curent",
      usage: "PRIV",
      status: "enabled",
      isDefault: true,
      owners: [{ name: "Ana Popescu", role: "owner" }],
    });
    expect(await balancesOf(account.id)).toEqual([719_435n, 713_436n, 719_435n]);
    const entries = await listOf(account.id);
    expect(entries).toHaveLength(10);
    const { id: _, ...rent } = entries.find(({ day }) => day === "2026-10-05") ?? { id: "" };
    expect(rent).toEqual({
      status: "booked",
      amount: { currency: "RON", minorUnits: -230_000n },
      day: "2026-10-05",
      valueDate: "2026-10-05",
      counterparty: { name: "Radu Stan", iban: "RO51OTHR0000000000000815", bic: "OTHRROBU" },
      remittance: "Chirie octombrie, apartament 12",
      endToEndId: "CHIRIE-2026-10",
      entryReference: "XM20261005000204",
      bankTransactionCode: "PMNT-ICDT-STDO",
    });
  });

  it("brings its opening balance as an entry of the day before the first booking", async () => {
    await load(october);
    const entries = await listOf((await onlyAccount()).id);
    const { id: _, ...opening } = entries.at(-1) ?? { id: "" };
    expect(opening).toEqual({
      status: "booked",
      amount: { currency: "RON", minorUnits: 125_000n },
      day: "2026-10-01",
      valueDate: "2026-10-01",
      counterparty: {},
      remittance: "Opening balance",
      bankTransactionCode: "ACMT-OPCL-ACCO",
    });
  });

  it("is entered on both sides, so that the sum of all entries stays zero in every currency", async () => {
    await load(october);
    await load(november);
    await load(euro);
    const sums = await database.sql`
      select currency, sum(amount_minor)::int as sum, count(*)::int as entries
      from ledger_entry join ledger_account account on account.id = account_id
      group by currency order by currency`;
    expect([...sums]).toEqual([
      { currency: "EUR", sum: 0, entries: 8 },
      { currency: "RON", sum: 0, entries: 24 },
    ]);
    const odd = await database.sql`
      select transfer_id from ledger_entry join ledger_account account on account.id = account_id
      group by transfer_id
      having sum(amount_minor) <> 0 or count(*) <> 2 or count(distinct currency) <> 1
        or count(distinct ledger_entry.status) <> 1 or count(distinct booked_on) > 1`;
    expect(odd).toHaveLength(0);
  });

  it("of a savings account is kept, and never shown", async () => {
    await load(changed(october, "CACC", "SVGS"));
    expect(await source.accountsOf(ana)).toEqual([]);
  });

  it("of a second currency of an IBAN opens a sub-account that is not the default", async () => {
    await load(october);
    await load(changed(euro, "RO74XMPL0000000000004712", "RO04XMPL0000000000004711"));
    const accounts = await source.accountsOf(ana);
    expect(accounts.map(({ currency, isDefault }) => [currency, isDefault])).toEqual([
      ["RON", true],
      ["EUR", false],
    ]);
  });
});

describe("the last change of an imported account", () => {
  it("is the morning of its last booking, and never later than the import", async () => {
    const changeAt = async () => {
      const [known] = await source.balances([(await onlyAccount()).id], now);
      return known?.balances.find(({ type }) => type === "expected");
    };
    await importFile(database.db, october, ana, new Date("2026-10-31T05:00:00Z"));
    expect(await changeAt()).toMatchObject({ lastChangeAt: new Date("2026-10-31T05:00:00Z") });
    await load(november);
    expect(await changeAt()).toMatchObject({ lastChangeAt: new Date("2026-11-04T06:00:00Z") });
  });
});

describe("what the ledger has stays as it is", () => {
  it("importing the same file twice changes nothing and says so", async () => {
    await load(october);
    const before = await database.sql`select * from ledger_entry order by id`;
    expect(await load(october)).toMatchObject([
      { isKnown: true, isNewAccount: false, added: 0, booked: 0, unchanged: 9 },
    ]);
    expect(await database.sql`select * from ledger_entry order by id`).toEqual(before);
  });

  it("an overlapping later statement adds only what is new", async () => {
    await load(october);
    expect(await load(november)).toMatchObject([
      { isKnown: false, isNewAccount: false, added: 2, booked: 1, unchanged: 2, leftOut: 1 },
    ]);
    const { id } = await onlyAccount();
    expect(await listOf(id)).toHaveLength(12);
    expect(await balancesOf(id)).toEqual([738_936n, 738_936n, 738_936n]);
    expect(await load(october)).toMatchObject([{ isKnown: true, added: 0, booked: 0 }]);
    expect(await load(november)).toMatchObject([{ isKnown: true, added: 0, booked: 0 }]);
  });

  it("a pending entry keeps its transactionId when a later statement has it booked", async () => {
    const find = async () => {
      const entries = await listOf((await onlyAccount()).id);
      return entries.find(({ entryReference }) => entryReference === "XM20261031000410");
    };
    await load(october);
    const pending = await find();
    expect(pending).toMatchObject({ status: "pending", day: "2026-10-31" });
    await load(november);
    expect(await find()).toEqual({
      ...pending,
      status: "booked",
      day: "2026-11-02",
      valueDate: "2026-10-31",
      remittance: "Card 4417, Jucării de Lemn",
    });
  });

  it("the same statement under a new id has nothing to add", async () => {
    await load(october);
    const renamed = changed(october, "4711-RON-2026-10", "4711-RON-COPY");
    expect(await load(renamed)).toMatchObject([{ isKnown: false, added: 0, unchanged: 9 }]);
  });
});
