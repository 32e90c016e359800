import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { standingOrder } from "@/drizzle/schema/ledger/standing-orders";
import type { CoreBank } from "@/lib/domain/core-bank";
import type { AccountId, Currency, PsuId, TransactionId } from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { ledger } from "./core-bank";
import { addAccount, addCustomer, addEntries, day, disown } from "./testing";

let database: TestDatabase;
let source: CoreBank;
let ana: PsuId;
let elena: PsuId;

beforeAll(async () => {
  database = await testDatabase();
  source = ledger(database.db, aspspProfile);
  ana = await addCustomer(database.db, "Ana Popescu");
  elena = await addCustomer(database.db, "Elena Popescu");
});
afterAll(() => database.close());

type Account = Partial<typeof ledgerAccount.$inferInsert>;
/** The bank has one account of its own in each currency, and the tests' accounts are in RON. */
const inDollars = { currency: "USD" as string as Currency, isDefault: false } as const;
const open = (owners: Parameters<typeof addAccount>[1], account: Account = {}) =>
  addAccount(database.db, owners, account);
const person = (name: string) => addCustomer(database.db, name);

/** Of other core banks: each almost a UUID, so that a cast without a check before it would fail. */
const foreign = [
  "account-1",
  "0f0e0d0c-0b0a-4908-8706-05040302010g",
  "0f0e0d0c-0b0a-4908-8706-0504030201",
  "0f0e0d0c0b0a-4908-8706-0504030201-00",
  "0f0e0d0c-0b0a-4908-8706-0504-3020100",
  "0f0e0d0c-0b0a-4908-8706-05040302010ș",
  "------------------------------------",
] as AccountId[];

describe("accounts of the ledger", () => {
  it("a PSU's payment accounts come in the order of the bank's own channel", async () => {
    const psu = await person("Mihai");
    const third = await open({ [psu]: "owner" }, { position: 9_003 });
    const first = await open({ [psu]: "owner" }, { position: 9_001 });
    const second = await open({ [psu]: "owner" }, { position: 9_002, status: "blocked" });
    const found = await source.accountsOf(psu);
    expect(found.map(({ id, status }) => [id, status])).toEqual([
      [first, "enabled"],
      [second, "blocked"],
      [third, "enabled"],
    ]);
  });

  it.each<[string, Account]>([
    ["a savings account", { kind: "savings" }],
    ["a loan account", { kind: "loan" }],
    ["an account of the bank itself", { kind: "internal", iban: null, ...inDollars }],
    ["a closed account", { status: "deleted" }],
  ])("%s never comes out, whichever way it is asked for", async (_what, account) => {
    const psu = await person("Dan");
    const id = await open({ [psu]: "owner" }, account);
    const [entry] = await addEntries(database.db, id, [
      { amountMinor: 100n, enteredOn: day("2026-11-01"), bookedOn: day("2026-11-01") },
    ]);
    await database.db.insert(standingOrder).values(anOrder(id));

    expect(await source.accountsOf(psu)).toEqual([]);
    expect(await readable(psu, id, entry)).toEqual(nothing);
  });

  it("B1: an account is read for a customer who has it, in any role, and not once that is over", async () => {
    const [owner, clerk] = [await person("Dan"), await person("Vlad Clerk")];
    const id = await open({ [owner]: "owner", [clerk]: "authorisedUser" });
    const [entry] = await addEntries(database.db, id, [
      { amountMinor: 100n, enteredOn: day("2026-11-01"), bookedOn: day("2026-11-01") },
    ]);
    for (const psu of [owner, clerk]) {
      expect(await readable(psu, id, entry)).not.toContainEqual(undefined);
    }
    await disown(database.db, clerk);
    expect(await readable(clerk, id, entry)).toEqual(nothing);
    expect(await readable("C-1" as string as PsuId, id, entry)).toEqual(nothing);
    expect(await readable(owner, id, entry)).not.toContainEqual(undefined);
  });

  /** Whichever way it is asked for. */
  async function readable(customerId: PsuId, accountId: AccountId, id = none) {
    const account = { customerId, accountId };
    const ids = { customerId, ids: [accountId] };
    const all = { from: day("2026-01-01"), to: day("2026-12-31"), limit: 10 };
    const statuses = ["booked", "pending"] as const;
    const [looked] = await source.accounts(ids);
    const [withBalances] = await source.balances(ids, new Date("2026-11-20T10:00:00Z"));
    return [
      ...[looked, withBalances, await source.transactions({ ...account, statuses, ...all })],
      ...[await source.transaction(account, id), await source.standingOrders(account)],
      await source.checkFunds({
        ...account,
        amounts: [{ currency: "RON" as Currency, minorUnits: 1n }],
      }),
    ];
  }
  const none = randomUUID() as string as TransactionId;
  const nothing = Array.from({ length: 6 }, () => undefined);

  it("both owners of a joint account see it, with both names", async () => {
    const joint = await open({ [elena]: "owner", [ana]: "owner" });
    const owners = [
      { name: "Ana Popescu", role: "owner" },
      { name: "Elena Popescu", role: "owner" },
    ];
    for (const psu of [ana, elena]) {
      const found = await source.accountsOf(psu);
      expect(found.filter(({ id }) => id === joint).map((account) => account.owners)).toEqual([
        owners,
      ]);
    }
    const found = await source.accounts({ customerId: ana, ids: [joint] });
    expect(found.map((account) => account.owners)).toEqual([owners]);
  });

  it("a PSU who acts for an organisation sees its account with all roles", async () => {
    const company = await person("Popescu Grafic SRL");
    const clerk = await person("Vlad Clerk");
    const id = await open(
      { [company]: "owner", [clerk]: "authorisedUser" },
      { usage: "ORGA", name: "Business", product: "Business account" },
    );
    expect(await source.accountsOf(clerk)).toMatchObject([
      {
        id,
        usage: "ORGA",
        name: "Business",
        product: "Business account",
        bic: "DRWBROBU",
        owners: [
          { name: "Popescu Grafic SRL", role: "owner" },
          { name: "Vlad Clerk", role: "authorisedUser" },
        ],
      },
    ]);
  });

  it("sub-accounts of a multi-currency IBAN come singly, one of them the default", async () => {
    const psu = await person("Ana");
    const iban = "RO00DRWB9999999999999999" as string as NonNullable<Account["iban"]>;
    const inEuro = { iban, currency: "EUR" as string as Currency };
    await open({ [psu]: "owner" }, inEuro);
    await open({ [psu]: "owner" }, { iban, isDefault: false });
    const found = await source.accountsOf(psu);
    expect(found.map(({ currency, isDefault }) => [currency, isDefault])).toEqual([
      ["EUR", true],
      ["RON", false],
    ]);
    await expect(open({ [psu]: "owner" }, { ...inEuro, isDefault: false })).rejects.toThrow();
    const dollar = { iban, currency: "USD" as string as Currency };
    await expect(open({ [psu]: "owner" }, dollar), "a second default").rejects.toThrow();
  });

  it("accounts come in the order of the ids; what is gone or no id is left out", async () => {
    const one = await open({ [ana]: "owner" });
    const two = await open({ [ana]: "authorisedUser", [elena]: "owner" });
    const gone = randomUUID() as string as AccountId;
    const asked = { customerId: ana, ids: [two, gone, ...foreign, one] };
    expect((await source.accounts(asked)).map(({ id }) => id)).toEqual([two, one]);
    expect(await source.accounts({ customerId: ana, ids: [] })).toEqual([]);
  });

  it("a stranger has no accounts", async () => {
    expect(await source.accountsOf(randomUUID() as string as PsuId)).toEqual([]);
    expect(await source.accountsOf("' or true --" as string as PsuId)).toEqual([]);
  });
});

describe("standing orders of the ledger", () => {
  it("come by day of execution, with what is known and nothing else", async () => {
    const id = await open({ [ana]: "owner" });
    const late = anOrder(id, { dayOfExecution: 28, endOn: day("2027-01-28") });
    const early = anOrder(id, { dayOfExecution: 5, counterpartyName: "Radu", remittance: "Rent" });
    await database.db.insert(standingOrder).values([late, early]);
    const common = {
      amount: { currency: "RON", minorUnits: -5_000n },
      startDate: "2026-01-28",
      frequency: "Monthly",
    };
    expect(
      (await source.standingOrders({ customerId: ana, accountId: id }))?.standingOrders,
    ).toEqual([
      {
        ...common,
        id: early.id,
        counterparty: { name: "Radu" },
        remittance: "Rent",
        dayOfExecution: "5",
      },
      {
        ...common,
        id: late.id,
        counterparty: {},
        dayOfExecution: "28",
        endDate: "2027-01-28",
      },
    ]);
  });
});

function anOrder(accountId: AccountId, order: Partial<typeof standingOrder.$inferInsert> = {}) {
  return {
    id: randomUUID() as string as TransactionId,
    accountId,
    amountMinor: -5_000n,
    startOn: day("2026-01-28"),
    frequency: "Monthly" as const,
    ...order,
  };
}
