import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AccountId,
  addDays,
  type Currency,
  type IsoDate,
  type PsuId,
} from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { balances, isBusinessDay, nextBusinessDay } from "./balances";
import { addAccount, addCustomer, addEntries, day, type NewEntry } from "./testing";

describe("balances of the ledger", () => {
  let database: TestDatabase;
  let psu: PsuId;

  beforeAll(async () => {
    database = await testDatabase();
    psu = await addCustomer(database.db, "Ana Popescu");
  });
  afterAll(() => database.close());

  const today = day("2026-11-20");
  const noon = new Date("2026-11-20T10:00:00Z");
  const open = (currency = "RON") =>
    addAccount(database.db, { [psu]: "owner" }, { currency: currency as string as Currency });

  async function balancesOf(id: AccountId, now: Date) {
    const asked = { customerId: psu, ids: [id] };
    return (await balances(database.db, aspspProfile)(asked, now))[0]?.balances;
  }

  async function amountsOf(id: AccountId, now: Date) {
    return (await balancesOf(id, now))?.map(({ amount }) => amount.minorUnits);
  }

  const anEntry: fc.Arbitrary<NewEntry> = fc.record({
    amountMinor: fc
      .bigInt({ min: -(10n ** 14n), max: 10n ** 14n })
      .filter((amount) => amount !== 0n),
    enteredOn: fc.integer({ min: -60, max: -10 }).map((days) => addDays(today, days)),
    bookedOn: fc.option(fc.integer({ min: -10, max: 0 }).map((days) => addDays(today, days))),
    valueOn: fc.option(fc.integer({ min: -10, max: 6 }).map((days) => addDays(today, days))),
  });

  it("every balance is the sum of its entries", async () => {
    const property = fc.asyncProperty(fc.array(anEntry, { maxLength: 12 }), async (entries) => {
      const id = await open();
      await addEntries(database.db, id, entries);
      const sum = (counts: (entry: NewEntry) => boolean) =>
        entries.filter(counts).reduce((total, entry) => total + entry.amountMinor, 0n);
      expect(await amountsOf(id, noon)).toEqual([
        sum(({ bookedOn }) => bookedOn != null && bookedOn < today),
        sum(() => true),
        sum(({ bookedOn, valueOn }) => bookedOn != null || (valueOn ?? "9") <= "2026-11-23"),
      ]);
    });
    await fc.assert(property, { numRuns: inputs(60) });
  });

  it("each of the three types comes once, with the days they speak of", async () => {
    const id = await open("EUR");
    await addEntries(database.db, id, [
      { amountMinor: 5n, enteredOn: day("2026-11-02"), bookedOn: day("2026-11-03") },
    ]);
    const amount = { currency: "EUR", minorUnits: 5n };
    expect(await balancesOf(id, noon)).toEqual([
      { type: "closingBooked", amount, referenceDate: "2026-11-19" },
      { type: "expected", amount, lastChangeAt: new Date("2026-11-03T06:00:00Z") },
      { type: "forwardAvailable", amount, referenceDate: "2026-11-23" },
    ]);
  });

  it("an account without entries is at zero, and nothing is known of a change", async () => {
    const amount = { currency: "RON", minorUnits: 0n };
    expect(await balancesOf(await open(), noon)).toEqual([
      { type: "closingBooked", amount, referenceDate: "2026-11-19" },
      { type: "expected", amount },
      { type: "forwardAvailable", amount, referenceDate: "2026-11-23" },
    ]);
  });

  it("a day is closed when it is over in Bucharest", async () => {
    const id = await open();
    await addEntries(database.db, id, [{ amountMinor: 7n, enteredOn: today, bookedOn: today }]);
    expect(await amountsOf(id, new Date("2026-11-20T21:59:59Z"))).toEqual([0n, 7n, 7n]);
    expect(await amountsOf(id, new Date("2026-11-20T22:00:00Z"))).toEqual([7n, 7n, 7n]);
  });

  it("a pending entry counts as available once its value date is within the next business day", async () => {
    const id = await open();
    await addEntries(database.db, id, [
      { amountMinor: 1n, enteredOn: today },
      { amountMinor: 10n, enteredOn: today, valueOn: day("2026-11-23") },
      { amountMinor: 100n, enteredOn: today, valueOn: day("2026-11-24") },
    ]);
    expect(await amountsOf(id, noon)).toEqual([0n, 111n, 10n]);
  });

  it("many accounts are answered at once, each with its own entries; unknown ones are left out", async () => {
    const [one, two] = [await open(), await open("USD")];
    await addEntries(database.db, one, [{ amountMinor: 1n, enteredOn: today }]);
    await addEntries(database.db, two, [{ amountMinor: 2n, enteredOn: today }]);
    const asked = { customerId: psu, ids: [one, two, "no-id" as string as AccountId] };
    const found = await balances(database.db, aspspProfile)(asked, noon);
    expect(
      found.map(({ account, balances: list }) => [account.id, list[1]?.amount]).sort(),
    ).toEqual(
      [
        [one, { currency: "RON", minorUnits: 1n }],
        [two, { currency: "USD", minorUnits: 2n }],
      ].sort(),
    );
    const none = { customerId: psu, ids: [] };
    expect(await balances(database.db, aspspProfile)(none, noon)).toEqual([]);
  });
});

describe("business days", () => {
  const day = (text: string) => text as IsoDate;

  it("the day after Friday that settles is Monday", () => {
    expect(nextBusinessDay(day("2026-11-19"))).toBe("2026-11-20");
    expect(nextBusinessDay(day("2026-11-20"))).toBe("2026-11-23");
    expect(nextBusinessDay(day("2026-11-21"))).toBe("2026-11-23");
  });

  it("Christmas and the weekend after it are skipped together", () => {
    expect(nextBusinessDay(day("2026-12-24"))).toBe("2026-12-28");
    expect(nextBusinessDay(day("2026-12-31"))).toBe("2027-01-04");
  });

  it.each([
    ["2024-03-29", "2024-04-01"],
    ["2025-04-18", "2025-04-21"],
    ["2026-04-03", "2026-04-06"],
    ["2027-03-26", "2027-03-29"],
    ["2038-04-23", "2038-04-26"],
  ])("Good Friday %s and Easter Monday %s are closed", (friday, monday) => {
    expect(isBusinessDay(day(friday))).toBe(false);
    expect(isBusinessDay(day(monday))).toBe(false);
    expect(nextBusinessDay(day(friday))).toBe(
      new Date(Date.parse(monday) + 86_400_000).toISOString().slice(0, 10),
    );
  });

  it("the first of May is closed, the days around it are not", () => {
    expect(
      ["2025-04-30", "2025-05-01", "2025-05-02"].map((text) => isBusinessDay(day(text))),
    ).toEqual([true, false, true]);
  });
});
