import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TransactionQuery } from "@/lib/domain/core-bank";
import type { Iban } from "@/lib/domain/iban";
import type { AccountId, PsuId, TransactionId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  day,
  pendingEntry,
  today,
} from "./testing";
import { transaction, transactions } from "./transactions";

let database: TestDatabase;
let psu: PsuId;

beforeAll(async () => {
  database = await testDatabase();
  psu = await addCustomer(database.db, "Ana Popescu");
});
afterAll(() => database.close());

const both = ["booked", "pending"] as const;
const openAccount = () => addAccount(database.db, { [psu]: "owner" });
const always = { from: day("2025-01-01"), to: today };

type Range = Pick<TransactionQuery, "accountId" | "statuses" | "limit"> & Partial<TransactionQuery>;
const page = (query: Range) => transactions(database.db)({ ...always, ...query });

describe("a page of transactions", () => {
  it("holds the statuses asked for", async () => {
    const accountId = await openAccount();
    const [one] = await addEntries(database.db, accountId, [bookedEntry(3)]);
    const [other] = await addEntries(database.db, accountId, [pendingEntry(2)]);
    const idsOf = async (statuses: TransactionQuery["statuses"]) =>
      (await page({ accountId, statuses, limit: 9 }))?.entries.map(({ id }) => id);
    expect(await idsOf(["booked"])).toEqual([one]);
    expect(await idsOf(["pending"])).toEqual([other]);
    expect(await idsOf(["booked", "pending"])).toEqual([other, one]);
    expect(await idsOf(["pending", "booked"])).toEqual([other, one]);
  });

  it("selects by booking date, for a pending entry by the day it was entered, both days inclusive", async () => {
    const accountId = await openAccount();
    const dates = [
      { enteredOn: day("2026-10-01"), bookedOn: day("2026-10-04") },
      { enteredOn: day("2026-10-05"), bookedOn: day("2026-10-05") },
      { enteredOn: day("2026-10-06") },
      { enteredOn: day("2026-10-07"), bookedOn: day("2026-10-08") },
      { enteredOn: day("2026-10-08"), valueOn: day("2026-10-06") },
    ];
    await addEntries(
      database.db,
      accountId,
      dates.map((entry) => ({ amountMinor: 1n, ...entry })),
    );
    const days = async (from: string, to: string) => {
      const found = page({ accountId, statuses: both, limit: 9, from: day(from), to: day(to) });
      return (await found)?.entries.map((entry) => entry.day);
    };
    expect(await days("2026-10-05", "2026-10-06")).toEqual(["2026-10-06", "2026-10-05"]);
    expect(await days("2026-10-04", "2026-10-07")).toHaveLength(3);
    expect(await days("2026-10-02", "2026-10-03")).toEqual([]);
    expect(await days("2026-10-09", "2026-10-01")).toEqual([]);
  });

  it("never holds an entry of another account", async () => {
    const [mine, other] = [await openAccount(), await openAccount()];
    const [id] = await addEntries(database.db, other, [bookedEntry(1)]);
    expect((await page({ accountId: mine, statuses: both, limit: 9 }))?.entries).toEqual([]);
    expect(id && (await transaction(database.db)(mine, id))?.transaction).toBeUndefined();
    expect(id && (await transaction(database.db)(other, id))?.transaction).toMatchObject({ id });
  });
});

describe("one transaction", () => {
  it("keeps its transactionId when it is booked", async () => {
    const accountId = await openAccount();
    const [id] = await addEntries(database.db, accountId, [pendingEntry(2)]);
    if (id === undefined) throw new Error("no entry");
    expect((await transaction(database.db)(accountId, id))?.transaction).toMatchObject({
      id,
      status: "pending",
      day: "2026-11-18",
    });
    const booking = { status: "booked", bookedOn: today } as const;
    await database.db.update(ledgerEntry).set(booking).where(eq(ledgerEntry.id, id));
    expect((await transaction(database.db)(accountId, id))?.transaction).toMatchObject({
      id,
      status: "booked",
      day: "2026-11-20",
    });
  });

  it("tells all that is known, and nothing of what is not", async () => {
    const accountId = await openAccount();
    const common = { enteredOn: today, bookedOn: today, bankTransactionCode: "PMNT-RCDT-ESCT" };
    const [whole, bare] = await addEntries(database.db, accountId, [
      {
        ...common,
        amountMinor: -12_345_678_901_234n,
        valueOn: day("2026-11-21"),
        counterpartyName: "Radu Stanciu",
        counterpartyIban: "RO00MUNT" as string as Iban,
        counterpartyBic: "MUNTROBU",
        remittance: "Rent",
        endToEndId: "E2E-1",
        entryReference: "REF-1",
      },
      { ...common, amountMinor: 1n },
    ]);
    const expected = {
      status: "booked",
      day: "2026-11-20",
      bankTransactionCode: "PMNT-RCDT-ESCT",
    };
    expect(whole && (await transaction(database.db)(accountId, whole))?.transaction).toEqual({
      ...expected,
      id: whole,
      amount: { currency: "RON", minorUnits: -12_345_678_901_234n },
      valueDate: "2026-11-21",
      counterparty: { name: "Radu Stanciu", iban: "RO00MUNT", bic: "MUNTROBU" },
      remittance: "Rent",
      endToEndId: "E2E-1",
      entryReference: "REF-1",
    });
    const found = bare && (await transaction(database.db)(accountId, bare));
    expect(found?.transaction).toEqual({
      ...expected,
      id: bare,
      amount: { currency: "RON", minorUnits: 1n },
      counterparty: {},
    });
  });

  it.each(["", "1", "' or true --", "00000000-0000-4000-8000-00000000000g"])(
    "%j is nobody's transactionId",
    async (id) => {
      const unknown = id as string as TransactionId & AccountId;
      const accountId = await openAccount();
      const entry = await transaction(database.db)(accountId, unknown);
      expect(entry).toEqual({ account: expect.objectContaining({ id: accountId }) });
      expect(await transaction(database.db)(unknown, unknown)).toBeUndefined();
      expect(await page({ accountId: unknown, statuses: both, limit: 1 })).toBeUndefined();
    },
  );
});
