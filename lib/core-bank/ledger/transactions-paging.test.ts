import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import type { TransactionQuery } from "@/lib/domain/core-bank";
import type { PsuId, TransactionId } from "@/lib/domain/identifiers";
import { addDays } from "@/lib/domain/iso-date";
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
import { transactions } from "./transactions";

let database: TestDatabase;
let psu: PsuId;

beforeAll(async () => {
  database = await testDatabase();
  psu = await addCustomer(database.db, "Ana Popescu");
});
afterAll(() => database.close());

const booked = ["booked"] as const;
const booking = { status: "booked", bookedOn: today } as const;
const both = ["booked", "pending"] as const;
const openAccount = () => addAccount(database.db, { [psu]: "owner" });
const always = { from: day("2025-01-01"), to: today };

type Range = Pick<TransactionQuery, "accountId" | "statuses" | "limit"> & Partial<TransactionQuery>;
const page = async (query: Range) => {
  const report = await transactions(database.db)({ ...always, ...query });
  if (report === undefined) throw new Error("there is no such account");
  return report;
};

/** What a TPP gets that follows every link to the next page; `between` happens before each of them. */
async function walk(
  query: Range,
  between = async (): Promise<void> => undefined,
): Promise<readonly Transaction[]> {
  const { entries, next } = await page(query);
  if (next === undefined) return entries;
  await between();
  return [...entries, ...(await walk({ ...query, after: next }, between))];
}

const book = (id: TransactionId) =>
  database.db.update(ledgerEntry).set(booking).where(eq(ledgerEntry.id, id));

describe("pages of transactions", () => {
  it("come newest first, by day, then by id", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 15 }),
      async (days, limit) => {
        const accountId = await openAccount();
        await addEntries(
          database.db,
          accountId,
          days.map((ago) => bookedEntry(ago)),
        );
        const found = await walk({ accountId, statuses: booked, limit });
        const positions = found.map((entry) => `${entry.day} ${entry.id}`);
        expect(positions).toHaveLength(days.length);
        expect(positions).toEqual([...new Set(positions)].sort().reverse());
      },
    );
    await fc.assert(property, { numRuns: 12 });
  });

  it("neither repeat nor skip an entry while new ones are booked", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 20, maxLength: 60 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 10, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      async (before, meanwhile, limit) => {
        const accountId = await openAccount();
        const known = await addEntries(
          database.db,
          accountId,
          before.map((ago) => bookedEntry(ago)),
        );
        const [found] = await Promise.all([
          walk({ accountId, statuses: booked, limit }),
          ...meanwhile.map((ago) => addEntries(database.db, accountId, [bookedEntry(ago)])),
        ]);
        expectEachOnce(found, known);
      },
    );
    await fc.assert(property, { numRuns: 12 });
  });

  it("neither repeat nor skip an entry while pending ones are booked, however long that takes", async () => {
    const property = fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 20, maxLength: 50 }),
      fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 5, maxLength: 10 }),
      fc.integer({ min: 1, max: 7 }),
      async (settles, delays, limit) => {
        const accountId = await openAccount();
        const ids = await addEntries(
          database.db,
          accountId,
          settles.map((_, index) => pendingEntry(1 + (index % 5))),
        );
        const settling = ids.filter((_, index) => settles[index]);
        const slowly = (id: TransactionId, milliseconds: number) =>
          database.db.transaction(async (tx) => {
            await tx.update(ledgerEntry).set(booking).where(eq(ledgerEntry.id, id));
            await tx.execute(sql`select pg_sleep(${milliseconds / 1_000}::float8)`);
          });
        const [found] = await Promise.all([
          walk({ accountId, statuses: both, limit }),
          ...settling.map((id, index) => slowly(id, delays[index % delays.length] ?? 0)),
        ]);
        expectEachOnce(found, ids);
      },
    );
    await fc.assert(property, { numRuns: 8 });
  });

  it.each<readonly [string, TransactionQuery["statuses"]]>([
    ["booked", booked],
    ["pending", ["pending"]],
    ["all", both],
  ])(
    "of %s entries together are the report as it was when it was begun",
    async (_what, statuses) => {
      const property = fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 4 })), {
          minLength: 10,
          maxLength: 40,
        }),
        fc.infiniteStream(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 4 }), fc.boolean())),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        async (before, changes, limit, openEnd) => {
          const accountId = await openAccount();
          const to = openEnd ? today : addDays(today, -1);
          const entries = before.map(([pending, ago]) =>
            (pending ? pendingEntry : bookedEntry)(ago),
          );
          const pending = [...(await addEntries(database.db, accountId, entries))].filter(
            (_, index) => before[index]?.[0],
          );
          const begun = (await page({ accountId, statuses, to, limit: 1_000 })).entries;
          const change = async () => {
            const { value } = changes.next();
            if (value === undefined) return;
            const [which, ago, settled] = value;
            const entry = (settled ? bookedEntry : pendingEntry)(ago);
            const added = await addEntries(database.db, accountId, [entry]);
            if (!settled) pending.push(...added);
            const [id] = pending.splice(which % Math.max(1, pending.length), 1);
            if (id !== undefined) await book(id);
          };
          expect(await walk({ accountId, statuses, to, limit }, change)).toEqual(begun);
        },
      );
      await fc.assert(property, { numRuns: 10 });
    },
  );

  it("a booking that also corrects the day of entry leaves a begun report as it was", async () => {
    const accountId = await openAccount();
    await addEntries(database.db, accountId, [1, 2, 3].map(pendingEntry));
    const begun = (await page({ accountId, statuses: both, limit: 9 })).entries;
    const correct = async () => {
      const last = begun.at(-1);
      const earlier = { status: "booked", enteredOn: day("2026-11-01"), bookedOn: today } as const;
      if (last)
        await database.db.update(ledgerEntry).set(earlier).where(eq(ledgerEntry.id, last.id));
    };
    expect(await walk({ accountId, statuses: both, limit: 2 }, correct)).toEqual(begun);
  });
});

function expectEachOnce(found: readonly Transaction[], known: readonly TransactionId[]) {
  const ids = found.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(known.filter((id) => !ids.includes(id))).toEqual([]);
  const positions = found.map((entry) => `${entry.day} ${entry.id}`);
  expect(positions).toEqual([...positions].sort().reverse());
}
