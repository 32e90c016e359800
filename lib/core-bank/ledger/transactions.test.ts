import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerEntry } from "@/drizzle/schema/ledger/entries";
import type { Transaction } from "@/lib/domain/accounts";
import type { TransactionQuery } from "@/lib/domain/core-bank";
import {
  type AccountId,
  addDays,
  type Iban,
  type PsuId,
  type ReportCursor,
  type TransactionId,
} from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { planOf, recorder } from "@/lib/postgres/testing-database";
import type { LedgerStatements } from "./database";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  day,
  otherSideOf,
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

const readOne = (accountId: AccountId, id: TransactionId) =>
  transaction(database.db)({ customerId: psu, accountId }, id);

describe("transactions", () => {
  const page = (query: Range) =>
    transactions(database.db)({ customerId: psu, ...always, ...query });

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
      expect(id && (await readOne(mine, id))?.transaction).toBeUndefined();
      expect(id && (await readOne(other, id))?.transaction).toMatchObject({ id });
    });
  });

  describe("one transaction", () => {
    it("keeps its transactionId when it is booked", async () => {
      const accountId = await openAccount();
      const [id] = await addEntries(database.db, accountId, [pendingEntry(2)]);
      if (id === undefined) throw new Error("no entry");
      expect((await readOne(accountId, id))?.transaction).toMatchObject({
        id,
        status: "pending",
        day: "2026-11-18",
      });
      const booking = { status: "booked", bookedOn: today } as const;
      await database.db.update(ledgerEntry).set(booking).where(eq(ledgerEntry.id, id));
      expect((await readOne(accountId, id))?.transaction).toMatchObject({
        id,
        status: "booked",
        day: "2026-11-20",
      });
    });

    it("has all that is known, and nothing that is not", async () => {
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
      expect(whole && (await readOne(accountId, whole))?.transaction).toEqual({
        ...expected,
        id: whole,
        amount: { currency: "RON", minorUnits: -12_345_678_901_234n },
        valueDate: "2026-11-21",
        counterparty: { name: "Radu Stanciu", iban: "RO00MUNT", bic: "MUNTROBU" },
        remittance: "Rent",
        endToEndId: "E2E-1",
        entryReference: "REF-1",
      });
      const found = bare && (await readOne(accountId, bare));
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
        const entry = await readOne(accountId, unknown);
        expect(entry).toEqual({ account: expect.objectContaining({ id: accountId }) });
        expect(await readOne(unknown, unknown)).toBeUndefined();
        expect(await page({ accountId: unknown, statuses: both, limit: 1 })).toBeUndefined();
      },
    );
  });
});

describe("the pages of a report", () => {
  const booked = ["booked"] as const;
  const booking = { status: "booked", bookedOn: today } as const;
  const page = async (query: Range) => {
    const report = await transactions(database.db)({ customerId: psu, ...always, ...query });
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
        const earlier = {
          status: "booked",
          enteredOn: day("2026-11-01"),
          bookedOn: today,
        } as const;
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
});

describe("the index of a page", () => {
  const recorded = recorder();
  let database: TestDatabase;

  beforeAll(async () => {
    database = await testDatabase({ debug: recorded.debug });
  });
  afterAll(() => database.close());

  describe("a page of transactions", () => {
    let accountId: AccountId;
    let ana: PsuId;
    beforeAll(async () => {
      ana = await addCustomer(database.db, "Ana Popescu");
      accountId = await addAccount(database.db, { [ana]: "owner" });
      const otherId = await otherSideOf(database.db, accountId);
      await database.sql`
      insert into ledger_entry (id, transfer_id, account_id, status, amount_minor, entered_on,
        booked_on, bank_transaction_code, changed_at)
      select gen_random_uuid(), md5(n::text)::uuid, side.account_id,
        case when n % 20 = 0 then 'pending' else 'booked' end, n * side.sign,
        date '2025-01-01' + n / 50,
        case when n % 20 = 0 then null else date '2025-01-01' + n / 50 end, 'PMNT', now()
      from generate_series(1, 20000) n,
        (values (${accountId}::uuid, 1), (${otherId}::uuid, -1)) side (account_id, sign)`;
      await database.sql`analyze ledger_entry`;
    });

    const asked = async (query: TransactionQuery) => {
      recorded.asked.length = 0;
      expect((await transactions(database.db)(query))?.entries).toHaveLength(100);
      expect(recorded.asked).toHaveLength(1);
      const [plan] = await Promise.all(recorded.asked.map((one) => planOf(database, one)));
      return plan;
    };

    it.each<readonly [string, TransactionQuery["statuses"], string]>([
      ["booked", ["booked"], "ledger_entry_page"],
      ["all", ["booked", "pending"], "ledger_entry_page"],
      ["pending", ["pending"], "ledger_entry_pending_page"],
    ])("of %s entries is read off an index, in its order", async (_what, statuses, index) => {
      const first = { ...always, customerId: ana, accountId, statuses, limit: 100 };
      const backwards = new RegExp(`Index Scan Backward using ${index} `);
      const plan = await asked(first);
      expect(plan).toMatch(backwards);
      // An account's few owners are sorted, its entries are not.
      expect(plan).not.toMatch(/Sort Key: (?!account)|Seq Scan on ledger_entry/);

      const after = `2025-09-01 ${randomUUID()} 1` as string as ReportCursor;
      const following = await asked({ ...first, after });
      expect(following).toMatch(backwards);
      expect(following).not.toMatch(/Seq Scan on ledger_entry/);
      if (statuses.some((status) => status === "pending")) {
        expect(following).toContain("ledger_entry_booked_since");
      }
    });
  });
});

describe("the line of an entry", () => {
  let database: TestDatabase;
  let accountId: AccountId;
  let customerId: PsuId;
  beforeAll(async () => {
    database = await testDatabase();
    customerId = await addCustomer(database.db, "Ana Popescu");
    accountId = await owned();
  });
  afterAll(() => database.close());

  const owned = () => addAccount(database.db, { [customerId]: "owner" });
  const readOne = (account: AccountId, id: TransactionId) =>
    transaction(database.db)({ customerId, accountId: account }, id);

  /** PostgreSQL keeps no NUL and counts characters, not their halves. */
  const text = (characters: number) =>
    fc.option(
      fc
        .string({ unit: "binary", maxLength: characters })
        .map((drawn) => drawn.replaceAll("\0", "\x1f")),
    );
  const day400 = fc.integer({ min: -400, max: 0 }).map((days) => addDays(today, days));
  const drawn = fc.record({
    // More than a float can hold; all of them together are what the account holds.
    amountMinor: fc.bigInt({ min: -(2n ** 56n), max: 2n ** 56n }).filter((amount) => amount !== 0n),
    enteredOn: fc.constant(addDays(today, -400)),
    bookedOn: fc.option(day400),
    valueOn: fc.option(day400),
    counterpartyName: text(70),
    counterpartyIban: text(34).map((iban) => iban as Iban | null),
    counterpartyBic: text(11),
    bankTransactionCode: fc.constantFrom("PMNT-RCDT-ESCT", '"\\'),
    remittance: text(140),
    endToEndId: text(35),
  });

  function entryOf(
    id: TransactionId,
    row: typeof drawn extends fc.Arbitrary<infer Row> ? Row : never,
  ) {
    return {
      id,
      status: row.bookedOn === null ? "pending" : "booked",
      amount: { currency: "RON", minorUnits: row.amountMinor },
      day: row.bookedOn ?? row.enteredOn,
      counterparty: {
        name: row.counterpartyName ?? undefined,
        iban: row.counterpartyIban ?? undefined,
        bic: row.counterpartyBic ?? undefined,
        ultimateName: undefined,
      },
      bankTransactionCode: row.bankTransactionCode,
      valueDate: row.valueOn ?? undefined,
      remittance: row.remittance ?? undefined,
      endToEndId: row.endToEndId ?? undefined,
      entryReference: undefined,
      details: undefined,
    };
  }

  const whole = { statuses: ["booked", "pending"], from: day("2020-01-01"), to: today } as const;
  const read = async (of: LedgerStatements, account: AccountId) =>
    (await transactions(of)({ ...whole, customerId, accountId: account, limit: 9 }))?.entries;

  describe("the line of an entry", () => {
    it("says what its columns say, whatever they are", async () => {
      await fc.assert(
        fc.asyncProperty(drawn, async (row) => {
          const [id] = await addEntries(database.db, accountId, [row]);
          const found = await readOne(accountId, id ?? ("none" as TransactionId));
          expect(found?.transaction).toStrictEqual(id && entryOf(id, row));
        }),
        { numRuns: 60 },
      );
    });

    it("follows the entry when it is booked, in one form under every setting of the session", async () => {
      const account = await owned();
      const [id] = await addEntries(database.db, account, [{ ...pendingEntry(3), valueOn: today }]);
      expect(await read(database.db, account)).toMatchObject([{ id, status: "pending" }]);
      await database.db.transaction(async (tx) => {
        await tx.execute("set local datestyle = 'German, DMY'");
        await tx.execute("set local timezone = 'Asia/Tokyo'");
        await tx
          .update(ledgerEntry)
          .set({ status: "booked", bookedOn: today })
          .where(eq(ledgerEntry.accountId, account));
      });
      const booked = { id, status: "booked", day: today, valueDate: today };
      expect(await read(database.db, account)).toMatchObject([booked]);
    });

    it("is that of the pending entry in a report that was begun before the booking", async () => {
      const account = await owned();
      const texts = { counterpartyName: "n", counterpartyIban: "i" as Iban, counterpartyBic: "b" };
      const more = { remittance: "r", endToEndId: "e", entryReference: "f", valueOn: today };
      const [id] = await addEntries(database.db, account, [
        { ...pendingEntry(3), ...texts, ...more },
      ]);
      await addEntries(database.db, account, [bookedEntry(1)]);
      const before = id && (await readOne(account, id))?.transaction;
      const query = { ...whole, customerId, accountId: account, limit: 1 };
      const next = (await transactions(database.db)(query))?.next;
      await database.db
        .update(ledgerEntry)
        .set({ status: "booked", bookedOn: today })
        .where(eq(ledgerEntry.accountId, account));
      const rest = await transactions(database.db)({ ...query, ...(next && { after: next }) });
      expect(rest?.entries).toStrictEqual([before]);
    });

    it("has what few entries have, with amounts in the account's currency", async () => {
      const details = {
        mandateId: "M-1",
        counterpartyUltimateName: "State budget",
        bookedAfterMinor: "1250",
        batch: { count: 2, members: [{ amountMinor: "-100", counterparty: { name: "Shop" } }] },
      };
      const [id] = await addEntries(database.db, accountId, [{ ...bookedEntry(1), details }]);
      const found = await readOne(accountId, id ?? ("none" as TransactionId));
      expect(found?.transaction).toMatchObject({
        counterparty: { ultimateName: "State budget" },
        details: {
          mandateId: "M-1",
          balanceAfter: { type: "expected", amount: { currency: "RON", minorUnits: 1_250n } },
          batch: { count: 2, members: [{ amount: { currency: "RON", minorUnits: -100n } }] },
        },
      });
    });

    it("is written by the table alone", async () => {
      await addEntries(database.db, accountId, [bookedEntry(1)]);
      const written = database.sql`update ledger_entry set line = '[]' where account_id = ${accountId}`;
      await expect(written).rejects.toThrow('column "line" can only be updated to DEFAULT');
    });
  });
});
