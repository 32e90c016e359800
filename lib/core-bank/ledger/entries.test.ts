import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import type { AnyPgColumn, PgUpdateSetSource } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/postgres-js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { accountFunds, ledgerAccount } from "@/drizzle/schema/ledger/accounts";
import { ledgerDay, ledgerEntry } from "@/drizzle/schema/ledger/entries";
import {
  type AccountId,
  addDays,
  type Currency,
  type PsuId,
  type TransactionId,
} from "@/lib/domain/values";
import { connect } from "@/lib/postgres/client";
import { type TestDatabase, testDatabase, waitingForLocks } from "@/lib/postgres/testing";
import { databaseBefore } from "@/lib/postgres/testing-database";
import { inputs } from "@/lib/testing-inputs";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  day,
  type NewEntry,
  otherSideOf,
  pendingEntry,
  sumsThatDiffer,
  today,
} from "./testing";

describe("double entry", () => {
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

    it.each([
      "delete from ledger_entry",
      "truncate ledger_entry",
      "truncate ledger_account cascade",
    ])("refused: %s", async (statement) => {
      await addEntries(database.db, ron, [bookedEntry(1)]);
      await expect(database.sql.unsafe(statement)).rejects.toThrow("never changed or removed");
    });

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
});

describe("the sums of an account", () => {
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
    const [row] = await database.db
      .select()
      .from(accountFunds)
      .where(eq(accountFunds.accountId, id));
    return row?.availableMinor;
  };

  describe("what is kept of an account's entries is what they add up to", () => {
    it("whatever is entered and booked, many at once and on several accounts", async () => {
      const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const known: TransactionId[] = [];
        for (const taken of steps) await take(taken, known);
        expect(await differing()).toEqual([]);
      });
      await fc.assert(property, { numRuns: inputs(40) });
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
      [
        "another sum of an account",
        () => change({ bookedMinor: oneMore(ledgerAccount.bookedMinor) }),
      ],
      [
        "another sum of what is pending",
        () => change({ pendingMinor: oneMore(ledgerAccount.pendingMinor) }),
      ],
      [
        "another sum of what is reserved",
        () => change({ reservedMinor: oneMore(ledgerAccount.reservedMinor) }),
      ],
      [
        "another sum of what has no value date",
        () => change({ undatedMinor: oneMore(ledgerAccount.undatedMinor) }),
      ],
      ["another instant of the last change", () => change({ changedAt: later() })],
      ["another state of the books", () => change({ revision: oneMore(ledgerAccount.revision) })],
      [
        "a new account whose books have a past",
        () => addAccount(database.db, {}, { revision: 1n }),
      ],
      ["an account that is internal from now on", () => change({ kind: "internal", iban: null })],
      [
        "a new account with something on it",
        () => addAccount(database.db, {}, { bookedMinor: 1n }),
      ],
      ["a sum of a day", () => owner().insert(ledgerDay).values(aDay())],
      [
        "another sum of a day",
        () =>
          owner()
            .update(ledgerDay)
            .set({ bookedMinor: oneMore(ledgerDay.bookedMinor) }),
      ],
      ["a day less", () => owner().delete(ledgerDay)],
    ])("%s", async (_what, attempt) => {
      await addEntries(database.db, own(), [bookedEntry(1)]);
      await expect(attempt()).rejects.toMatchObject(refused);
      expect(await differing()).toEqual([]);
    });

    /** Never what is there: the entries of the tests before are random. */
    const oneMore = (column: AnyPgColumn) => sql`${column} + 1`;
    const change = (values: PgUpdateSetSource<typeof ledgerAccount>) =>
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
});

describe("the migration of the sums", () => {
  test("the entries of a bank of the release before are added up, and those to come are added", async () => {
    const { sql, url, migrate } = await databaseBefore("balances");
    const account = (nth: number, kind: "current" | "internal") => sql`
    insert into ledger_account (id, iban, currency, bic, name, product, kind, usage, status,
      is_default, overdraft_minor, position)
    values (${idOf(nth)}, ${kind === "internal" ? null : "RO49DRWB1B31007593840000"}, 'RON', 'DRWBROBU',
      'n', 'p', ${kind}, 'PRIV', 'enabled', true, 0, 1)`;
    const entry = (amount: number, bookedOn: string | null, valueOn: string | null) => sql`
    insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on, booked_on,
      value_on, bank_transaction_code, changed_at)
    select gen_random_uuid(), transfer, account, ${bookedOn === null ? "pending" : "booked"}, amount,
      '2026-11-01', ${bookedOn}::date, ${valueOn}::date, 'PMNT-RCDT-ESCT', '2026-11-18T08:00:00Z'
    from gen_random_uuid() transfer,
      (values (${idOf(1)}::uuid, ${amount}::int), (${idOf(2)}::uuid, ${-amount}::int)) side (account, amount)`;
    await account(1, "current");
    await account(2, "internal");
    await entry(100, "2026-11-18", "2026-11-18");
    await entry(-30, "2026-11-19", null);
    await entry(-5, null, "2026-11-20");
    await entry(2, null, null);

    await migrate();
    const bank = connect(url, { max: 1 });
    try {
      expect(await sumsThatDiffer(bank.db)).toEqual([]);
      const funds = await sql`select available_minor::int from account_funds`;
      expect(funds).toEqual([{ available_minor: 65 }]);
      await entry(-7, null, null);
      await sql`update ledger_entry set status = 'booked', booked_on = '2026-11-20' where booked_on is null`;
      expect(await sumsThatDiffer(bank.db)).toEqual([]);
    } finally {
      await bank.close();
    }
  });

  const idOf = (nth: number) => `00000000-0000-4000-8000-00000000000${nth}`;
});

describe("the revision of an account's books", () => {
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

  it("has for each entry when it was entered and booked, and on which day it was before", async () => {
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

  it("becomes visible in the order of its numbers: the second one waits", async () => {
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

describe("the table of entries refuses", () => {
  let database: TestDatabase;
  let psu: PsuId;

  beforeAll(async () => {
    database = await testDatabase();
    psu = await addCustomer(database.db, "Ana Popescu");
  });
  afterAll(() => database.close());

  const openAccount = () => addAccount(database.db, { [psu]: "owner" });
  it.each<readonly [string, string, Partial<NewEntry>]>([
    [
      "a pending entry with a booking date",
      "booked_iff_booking_date",
      { status: "pending", bookedOn: today },
    ],
    ["a booked entry without one", "booked_iff_booking_date", { status: "booked" }],
    ["a booking before the entry", "entered_before_booked", { bookedOn: day("2026-11-19") }],
    ["an amount of nothing", "amount", { amountMinor: 0n }],
  ])("%s", async (_what, check, entry) => {
    const accountId = await openAccount();
    const row = { amountMinor: 1n, enteredOn: today, ...entry };
    await expect(addEntries(database.db, accountId, [row])).rejects.toMatchObject({
      cause: { constraint_name: `ledger_entry_${check}` },
    });
  });

  it("a second side of the same transfer on one account", async () => {
    const accountId = await openAccount();
    const side = { ...bookedEntry(1), transferId: randomUUID() };
    await expect(addEntries(database.db, accountId, [side, side])).rejects.toMatchObject({
      cause: { constraint_name: "ledger_entry_side_of_transfer" },
    });
  });
});
