import { eq } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Iban } from "@/lib/domain/iban";
import type { AccountId, TransactionId } from "@/lib/domain/identifiers";
import { addDays } from "@/lib/domain/iso-date";
import { connect } from "@/lib/postgres/client";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { databaseBefore } from "@/lib/postgres/testing-migrations";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import type { LedgerReader } from "./database";
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
let accountId: AccountId;
beforeAll(async () => {
  database = await testDatabase();
  accountId = await owned(database.db);
});
afterAll(() => database.close());

async function owned(db: TestDatabase["db"]): Promise<AccountId> {
  return addAccount(db, { [await addCustomer(db, "Ana Popescu")]: "owner" });
}

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
    },
    bankTransactionCode: row.bankTransactionCode,
    valueDate: row.valueOn ?? undefined,
    remittance: row.remittance ?? undefined,
    endToEndId: row.endToEndId ?? undefined,
    entryReference: undefined,
  };
}

const whole = { statuses: ["booked", "pending"], from: day("2020-01-01"), to: today } as const;
const read = async (of: LedgerReader, account: AccountId) =>
  (await transactions(of)({ ...whole, accountId: account, limit: 9 }))?.entries;

describe("the line of an entry", () => {
  it("says what its columns say, whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (row) => {
        const [id] = await addEntries(database.db, accountId, [row]);
        const found = await transaction(database.db)(accountId, id ?? ("none" as TransactionId));
        expect(found?.transaction).toStrictEqual(id && entryOf(id, row));
      }),
      { numRuns: 60 },
    );
  });

  it("follows the entry when it is booked, in one form under every setting of the session", async () => {
    const account = await owned(database.db);
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
    const account = await owned(database.db);
    const texts = { counterpartyName: "n", counterpartyIban: "i" as Iban, counterpartyBic: "b" };
    const more = { remittance: "r", endToEndId: "e", entryReference: "f", valueOn: today };
    const [id] = await addEntries(database.db, account, [
      { ...pendingEntry(3), ...texts, ...more },
    ]);
    await addEntries(database.db, account, [bookedEntry(1)]);
    const before = id && (await transaction(database.db)(account, id))?.transaction;
    const query = { ...whole, accountId: account, limit: 1 };
    const next = (await transactions(database.db)(query))?.next;
    await database.db
      .update(ledgerEntry)
      .set({ status: "booked", bookedOn: today })
      .where(eq(ledgerEntry.accountId, account));
    const rest = await transactions(database.db)({ ...query, ...(next && { after: next }) });
    expect(rest?.entries).toStrictEqual([before]);
  });

  it("is written by the table alone", async () => {
    await addEntries(database.db, accountId, [bookedEntry(1)]);
    const written = database.sql`update ledger_entry set line = '[]' where account_id = ${accountId}`;
    await expect(written).rejects.toThrow('column "line" can only be updated to DEFAULT');
  });

  it("is there for the entries of a bank of the release before", async () => {
    const { url, migrate } = await databaseBefore("entry_lines");
    const bank = connect(url, { max: 1 });
    try {
      const account = await owned(bank.db);
      const entries = [bookedEntry(1), { ...pendingEntry(2), remittance: 'Ț"\\' }];
      const [booked, pending] = await addEntries(bank.db, account, entries);
      await migrate();
      expect(await read(bank.db, account)).toMatchObject([
        { id: booked, status: "booked", amount: { minorUnits: 100n } },
        { id: pending, status: "pending", remittance: 'Ț"\\' },
      ]);
    } finally {
      await bank.close();
    }
  });
});
