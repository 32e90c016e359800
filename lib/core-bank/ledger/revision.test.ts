import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountId, PsuId, TransactionId } from "@/lib/domain/identifiers";
import { waitingForLocks } from "@/lib/postgres/samples";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  otherSideOf,
  pendingEntry,
  today,
} from "./testing";

let database: TestDatabase;
let psu: PsuId;

beforeAll(async () => {
  database = await testDatabase();
  psu = await addCustomer(database.db, "Ana Popescu");
});
afterAll(() => database.close());

const openAccount = () => addAccount(database.db, { [psu]: "owner" });
const booking = { status: "booked", bookedOn: today } as const;

async function revisionOf(id: AccountId) {
  const [row] = await database.db.select().from(ledgerAccount).where(eq(ledgerAccount.id, id));
  return row?.revision;
}

async function stampsOf(id: TransactionId | undefined) {
  const [row] = await database.db
    .select()
    .from(ledgerEntry)
    .where(eq(ledgerEntry.id, id ?? ("none" as TransactionId)));
  return row && [row.enteredIn, row.bookedIn, row.pendingDay];
}

describe("the revision of an account's books", () => {
  it("tells of each entry when it was entered and when it was booked, and on which day it was before", async () => {
    const accountId = await openAccount();
    const [first] = await addEntries(database.db, accountId, [pendingEntry(3)]);
    const [second, third] = await addEntries(database.db, accountId, [
      bookedEntry(2),
      bookedEntry(1),
    ]);
    expect(await stampsOf(first)).toEqual([1n, null, null]);
    expect(await stampsOf(second)).toEqual([2n, 2n, null]);
    expect(await stampsOf(third)).toEqual([2n, 2n, null]);
    const changed = { ...booking, enteredIn: 9n, bookedIn: 9n };
    await database.db.update(ledgerEntry).set(changed).where(eq(ledgerEntry.accountId, accountId));
    expect(await stampsOf(first)).toEqual([1n, 3n, "2026-11-17"]);
    expect(await stampsOf(second)).toEqual([2n, 2n, null]);
    expect(await revisionOf(accountId)).toBe(3n);
  });

  it("is each account's own, and the bank's own accounts have none", async () => {
    const [one, other] = [await openAccount(), await openAccount()];
    await addEntries(database.db, one, [bookedEntry(1)]);
    const clearing = await otherSideOf(database.db, one);
    const [id] = await addEntries(database.db, clearing, [bookedEntry(1)]);
    expect([await revisionOf(one), await revisionOf(other)]).toEqual([1n, 0n]);
    expect(await revisionOf(clearing)).toBe(0n);
    expect(await stampsOf(id)).toEqual([0n, 0n, null]);
  });

  it("becomes visible in the order of its numbers: who comes second waits", async () => {
    const accountId = await openAccount();
    let later: Promise<readonly TransactionId[]> | undefined;
    const earlier = await database.db.transaction(async (tx) => {
      const ids = await addEntries(tx, accountId, [bookedEntry(1)]);
      later = addEntries(database.db, accountId, [bookedEntry(1)]);
      await waitingForLocks(database, 1);
      return ids;
    });
    expect(await stampsOf(earlier[0])).toEqual([1n, 1n, null]);
    expect(await stampsOf((await later)?.[0])).toEqual([2n, 2n, null]);
  });
});
