import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountId, TransactionId } from "@/lib/domain/identifiers";
import { addDays } from "@/lib/domain/iso-date";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { accountFunds } from "../../../drizzle/schema/ledger/account-funds";
import { ledgerDay } from "../../../drizzle/schema/ledger/day";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import { addAccount, addEntries, bookedEntry, pendingEntry, today } from "./testing";
import { sumsThatDiffer } from "./testing-sums";

let database: TestDatabase;
let accounts: readonly AccountId[];
beforeAll(async () => {
  database = await testDatabase();
  accounts = [await addAccount(database.db, {}), await addAccount(database.db, {})];
});
afterAll(() => database.close());

const day = fc.integer({ min: -4, max: 4 }).map((days) => addDays(today, days));
const entry = fc.record({
  account: fc.nat({ max: 1 }),
  amountMinor: fc.integer({ min: -50, max: 50 }).filter((amount) => amount !== 0),
  bookedOn: fc.option(day),
  valueOn: fc.option(day),
});
const step = fc.oneof(
  fc.record({ enter: fc.array(entry, { minLength: 1, maxLength: 4 }) }),
  fc.record({ book: fc.array(fc.nat(), { maxLength: 4 }), on: day, valueOn: fc.option(day) }),
);
type Step = typeof step extends fc.Arbitrary<infer Taken> ? Taken : never;

const enteredOn = addDays(today, -5);
let seconds = 0;
const later = () => {
  seconds += 1;
  return new Date(Date.parse(`${today}T06:00:00Z`) + seconds * 1_000);
};

/** All in one statement, whichever account they are of. */
async function take(taken: Step, known: TransactionId[]): Promise<void> {
  const changedAt = later();
  if ("book" in taken) {
    const chosen = taken.book.flatMap((nth) => known[nth % known.length] ?? []);
    const { on: bookedOn, valueOn } = taken;
    await database.db
      .update(ledgerEntry)
      .set({ status: "booked", bookedOn, valueOn, changedAt })
      .where(inArray(ledgerEntry.id, chosen));
    return;
  }
  const rows = taken.enter.flatMap(({ account, amountMinor, bookedOn, valueOn }) => {
    const transferId = randomUUID();
    return accounts.map((accountId, side) => ({
      id: randomUUID() as string as TransactionId,
      transferId,
      accountId,
      amountMinor: BigInt(side === account ? amountMinor : -amountMinor),
      status: bookedOn === null ? ("pending" as const) : ("booked" as const),
      enteredOn,
      bookedOn,
      valueOn,
      changedAt,
      bankTransactionCode: "PMNT-RCDT-ESCT",
    }));
  });
  await database.db.insert(ledgerEntry).values(rows);
  known.push(...rows.map(({ id }) => id));
}

const differing = () => sumsThatDiffer(database.db);
const availableOf = async (id: AccountId) => {
  const [row] = await database.db.select().from(accountFunds).where(eq(accountFunds.accountId, id));
  return row?.availableMinor;
};

describe("what is kept of an account's entries is what they add up to", () => {
  it("whatever is entered and booked, many at once and on several accounts", async () => {
    const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const known: TransactionId[] = [];
      for (const taken of steps) await take(taken, known);
      expect(await differing()).toEqual([]);
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it("when many enter and book at the same time", async () => {
    const account = await addAccount(database.db, {});
    const ids = await addEntries(database.db, account, Array(20).fill(pendingEntry(3)));
    const booked = { status: "booked", bookedOn: today, changedAt: later() } as const;
    await Promise.all(
      ids.flatMap((id) => [
        database.db.update(ledgerEntry).set(booked).where(eq(ledgerEntry.id, id)),
        addEntries(database.db, account, [bookedEntry(1), pendingEntry(1)]),
      ]),
    );
    expect(await differing()).toEqual([]);
    expect(await availableOf(account)).toBe(4_000n);
  });

  it("when a change is undone", async () => {
    const account = await addAccount(database.db, {}, { overdraftMinor: 7n });
    const undone = database.db.transaction(async (tx) => {
      await addEntries(tx, account, [bookedEntry(1)]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await differing()).toEqual([]);
    expect(await availableOf(account)).toBe(7n);
  });
});

describe("what is kept of an account's entries is changed by entries alone, refused:", () => {
  const refused = { cause: { message: "what entries add up to is changed by entries alone" } };
  const own = () => accounts[0] ?? ("none" as AccountId);

  it.each<readonly [string, () => Promise<unknown>]>([
    ["another sum of an account", () => change({ bookedMinor: 1n })],
    ["another sum of what is pending", () => change({ pendingMinor: 1n })],
    ["another sum of what is reserved", () => change({ reservedMinor: 1n })],
    ["another sum of what has no value date", () => change({ undatedMinor: 1n })],
    ["another instant of the last change", () => change({ changedAt: later() })],
    ["another state of the books", () => change({ revision: 99n })],
    ["a new account whose books have a past", () => addAccount(database.db, {}, { revision: 1n })],
    ["an account that is internal from now on", () => change({ kind: "internal", iban: null })],
    ["a new account with something on it", () => addAccount(database.db, {}, { bookedMinor: 1n })],
    ["a sum of a day", () => owner().insert(ledgerDay).values(aDay())],
    ["another sum of a day", () => owner().update(ledgerDay).set({ bookedMinor: 1n })],
    ["a day less", () => owner().delete(ledgerDay)],
  ])("%s", async (_what, attempt) => {
    await addEntries(database.db, own(), [bookedEntry(1)]);
    await expect(attempt()).rejects.toMatchObject(refused);
    expect(await differing()).toEqual([]);
  });

  const change = (values: Partial<typeof ledgerAccount.$inferInsert>) =>
    database.db.update(ledgerAccount).set(values).where(eq(ledgerAccount.id, own()));
  /** Who may write to the table; the role of the server may not at all. */
  const owner = () => drizzle(database.sql);
  const aDay = () => ({
    accountId: own(),
    day: addDays(today, 9),
    bookedMinor: 1n,
    pendingMinor: 0n,
  });
});
