import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountReads } from "@/lib/domain/core-bank";
import type { Iban } from "@/lib/domain/iban";
import type { PsuId } from "@/lib/domain/identifiers";
import { addDays } from "@/lib/domain/iso-date";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledger } from "../ledger/core-bank";
import { addCustomer, day } from "../ledger/testing";
import { closingOf, fileOf, importFile, type MadeEntry, type MadeStatement } from "./testing";

let database: TestDatabase;
let source: AccountReads;
let ana: PsuId;
let accounts = 0;

beforeAll(async () => {
  database = await testDatabase();
  source = ledger(database.db);
  ana = await addCustomer(database.db, "Ana Popescu");
});
afterAll(() => database.close());

const first = day("2026-01-01");
const now = new Date("2026-11-20T10:00:00Z");
const anAmount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });

/** Characters of XML that stay as they are: no blanks at the ends, none doubled. */
const aText = fc
  .stringMatching(/^[A-Za-z0-9&<>"'ăâîșț€💶(){};#%-]{1,12}( [A-Za-z0-9&<>"'ășț]{1,12}){0,3}$/u)
  .filter((text) => [...text].length <= 35);
const anEntry = fc.record(
  {
    amountMinor: anAmount.filter((amount) => amount !== 0n),
    status: fc.constantFrom("BOOK" as const, "BOOK" as const, "PDNG" as const),
    name: aText,
    remittance: aText,
    day: fc.integer({ min: 0, max: 300 }).map((days) => addDays(first, days)),
  },
  { requiredKeys: ["amountMinor", "day"] },
);

/** Some with references, some without: never the same one twice. */
const someEntries: fc.Arbitrary<readonly MadeEntry[]> = fc
  .array(fc.tuple(anEntry, fc.boolean()), { maxLength: 20 })
  .map((list) =>
    list
      .map(([entry, named], index) => (named ? { ...entry, reference: `R${index}` } : entry))
      .sort((one, other) => (one.day < other.day ? -1 : 1)),
  );

function ownIban(): Iban {
  accounts += 1;
  const bban = `XMPL${String(accounts).padStart(16, "0")}`;
  const digits = `${bban}RO00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return `RO${String(98n - (BigInt(digits) % 97n)).padStart(2, "0")}${bban}` as string as Iban;
}

async function imported(made: MadeStatement) {
  const [result] = await importFile(database.db, fileOf(made), ana);
  const account = (await source.accountsOf(ana)).find(({ iban }) => iban === made.iban);
  if (account === undefined || result === undefined) throw new Error("not imported");
  const report = await source.transactions({
    accountId: account.id,
    statuses: ["booked", "pending"],
    from: day("2025-01-01"),
    to: day("2027-12-31"),
    limit: 1_000,
  });
  return { account, entries: report?.entries ?? [], result };
}

const aStatement = fc.record({
  version: fc.constantFrom("02" as const, "08" as const),
  id: fc.constant("S1"),
  currency: fc.constantFrom("RON", "EUR", "CHF"),
  openingMinor: anAmount,
  closingDay: fc.constant(addDays(first, 300)),
  entries: someEntries,
});

describe("any statement that adds up", () => {
  it("comes out as it went in: every entry, and their sum is the closing balance", async () => {
    const property = fc.asyncProperty(aStatement, async (drawn) => {
      const made = { ...drawn, iban: ownIban() };
      const { account, entries } = await imported(made);
      const told = entries
        .filter(({ remittance }) => remittance !== "Opening balance")
        .map(({ amount, status, counterparty, remittance }) =>
          [amount.minorUnits, status, counterparty.name, remittance].join("|"),
        );
      const expected = made.entries.map(({ amountMinor, status, name, remittance }) =>
        [amountMinor, status === "PDNG" ? "pending" : "booked", name, remittance].join("|"),
      );
      expect(told.sort()).toEqual(expected.sort());
      const booked = entries.filter(({ status }) => status === "booked");
      expect(booked.reduce((total, { amount }) => total + amount.minorUnits, 0n)).toBe(
        closingOf(made),
      );
      const [known] = await source.balances([account.id], now);
      expect(known?.balances[0]?.amount.minorUnits).toBe(closingOf(made));
    });
    await fc.assert(property, { numRuns: 60 });
  });

  it("may come in two that overlap in days, and again: the ledger is the same", async () => {
    const cuts = fc.tuple(fc.nat({ max: 300 }), fc.nat({ max: 300 }));
    const property = fc.asyncProperty(aStatement, cuts, async (drawn, [one, other]) => {
      const booked = drawn.entries.filter(({ status }) => status !== "PDNG");
      const made = { ...drawn, entries: booked, iban: ownIban() };
      const from = addDays(first, Math.min(one, other));
      const until = addDays(first, Math.max(one, other));
      const early = { ...made, closingDay: until, entries: booked.filter((e) => e.day <= until) };
      const past = booked.filter((entry) => entry.day < from);
      const openingMinor = closingOf({ ...made, entries: past });
      const rest = booked.filter((entry) => entry.day >= from);
      const late = { ...made, id: "S2", openingMinor, entries: rest };

      await imported(early);
      const { result } = await imported(late);
      expect(result.added).toBe(booked.length - early.entries.length);
      const { entries, result: again } = await imported(early);
      expect(again).toMatchObject({ isKnown: true, added: 0 });
      expect(entries.reduce((total, { amount }) => total + amount.minorUnits, 0n)).toBe(
        closingOf(made),
      );
    });
    await fc.assert(property, { numRuns: 60 });
  });
});
