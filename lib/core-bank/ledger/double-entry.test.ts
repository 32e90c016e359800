import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountId, TransactionId } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import { addAccount, addEntries, bookedEntry, pendingEntry, today } from "./testing";

let database: TestDatabase;
let ron: AccountId;
let other: AccountId;
let eur: AccountId;

beforeAll(async () => {
  database = await testDatabase();
  ron = await addAccount(database.db, {});
  other = await addAccount(database.db, {});
  eur = await addAccount(database.db, {}, { currency: "EUR" as string as Currency });
});
afterAll(() => database.close());

type Side = readonly [AccountId, bigint];
const rowsOf = (sides: readonly Side[], transferId: string = randomUUID()) =>
  sides.map(([accountId, amountMinor]) => ({
    id: randomUUID() as string as TransactionId,
    transferId,
    accountId,
    amountMinor,
    status: "booked" as const,
    enteredOn: today,
    bookedOn: today,
    bankTransactionCode: "PMNT-RCDT-BOOK",
    changedAt: new Date(`${today}T06:00:00Z`),
  }));
const enter = (sides: readonly Side[], transferId?: string) =>
  database.db.insert(ledgerEntry).values(rowsOf(sides, transferId));
const doesNotAddUp = { cause: { message: expect.stringContaining("does not add up to zero") } };

describe("the entries of a transfer add up to zero", () => {
  it.each<readonly [string, () => readonly Side[]]>([
    ["one side alone", () => [[ron, 5n]]],
    [
      "more than the other side gives",
      () => [
        [ron, 5n],
        [other, -4n],
      ],
    ],
    [
      "another currency, of the same amount",
      () => [
        [ron, 5n],
        [eur, -5n],
      ],
    ],
  ])("refused: %s", async (_what, sides) => {
    await expect(enter(sides())).rejects.toMatchObject(doesNotAddUp);
  });

  it("refused: a third side of a transfer that is whole", async () => {
    const transferId = randomUUID();
    await enter(
      [
        [ron, 5n],
        [other, -5n],
      ],
      transferId,
    );
    await expect(enter([[eur, 1n]], transferId)).rejects.toMatchObject(doesNotAddUp);
  });

  it("refused: two halves that two transactions enter at once", async () => {
    const transferId = randomUUID();
    const halves = await Promise.allSettled([
      enter([[ron, 5n]], transferId),
      enter([[other, -5n]], transferId),
    ]);
    expect(halves.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  it("judged when the transaction commits: one side may come after the other", async () => {
    const transferId = randomUUID();
    await database.db.transaction(async (tx) => {
      for (const side of [
        [ron, 5n],
        [other, -5n],
      ] as const) {
        await tx.insert(ledgerEntry).values(rowsOf([side], transferId));
      }
    });
    const rows = await database.db
      .select()
      .from(ledgerEntry)
      .where(eq(ledgerEntry.transferId, transferId));
    expect(rows).toHaveLength(2);
  });
});

describe("an entry stays as it was entered", () => {
  const change = async (values: Partial<typeof ledgerEntry.$inferInsert>) => {
    const [id] = await addEntries(database.db, ron, [bookedEntry(1)]);
    return database.db
      .update(ledgerEntry)
      .set(values)
      .where(eq(ledgerEntry.id, id ?? ("none" as TransactionId)));
  };
  const keeps = { cause: { message: "an entry keeps its id, transfer, account and amount" } };

  it.each<readonly [string, () => Parameters<typeof change>[0]]>([
    ["amount", () => ({ amountMinor: 7n })],
    ["account", () => ({ accountId: other })],
    ["transfer", () => ({ transferId: randomUUID() })],
    ["id", () => ({ id: randomUUID() as string as TransactionId })],
  ])("refused: another %s", async (_what, values) => {
    await expect(change(values())).rejects.toMatchObject(keeps);
  });

  it("refused: a booked one that becomes pending", async () => {
    const pending = change({ status: "pending", bookedOn: null });
    await expect(pending).rejects.toMatchObject({
      cause: { message: "a booked entry stays booked" },
    });
  });

  it("booking a pending one is no such change", async () => {
    const [id] = await addEntries(database.db, ron, [pendingEntry(1)]);
    const booked = await database.db
      .update(ledgerEntry)
      .set({ status: "booked", bookedOn: today })
      .where(eq(ledgerEntry.id, id ?? ("none" as TransactionId)))
      .returning({ status: ledgerEntry.status });
    expect(booked).toEqual([{ status: "booked" }]);
  });

  it.each(["delete from ledger_entry", "truncate ledger_entry", "truncate ledger_account cascade"])(
    "refused: %s",
    async (statement) => {
      await addEntries(database.db, ron, [bookedEntry(1)]);
      await expect(database.sql.unsafe(statement)).rejects.toThrow("never changed or removed");
    },
  );

  it("refused: another currency of its account", async () => {
    const changed = database.db
      .update(ledgerAccount)
      .set({ currency: "USD" as string as Currency })
      .where(eq(ledgerAccount.id, ron));
    await expect(changed).rejects.toMatchObject({
      cause: { message: "an account keeps its currency" },
    });
  });
});
