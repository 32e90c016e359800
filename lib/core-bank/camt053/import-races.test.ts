import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { addCustomer, day } from "../ledger/testing";
import { changed, fileOf, importFile, type MadeStatement, november, october } from "./testing";

let database: TestDatabase;
let ana: PsuId;

beforeEach(async () => {
  database = await testDatabase();
  ana = await addCustomer(database.db, "Ana Popescu");
  // Connections are opened when they are needed: the racing calls find theirs open.
  await Promise.all(Array.from({ length: 12 }, () => database.sql`select pg_sleep(0.1)`));
});
afterEach(() => database.close());

const load = (text: string) => importFile(database.db, text, ana);
const inParallel = (text: string) => Promise.all(Array.from({ length: 12 }, () => load(text)));

async function count(table: "ledger_entry" | "ledger_account" | "imported_statement") {
  const [row] = await database.sql`select count(*)::int as count from ${database.sql(table)}`;
  return row?.["count"];
}

describe("imports at the same time", () => {
  it("of one file: one enters it, the others find it done", async () => {
    const done = (await inParallel(october)).flat();
    expect(done.filter(({ isKnown }) => !isKnown)).toHaveLength(1);
    expect(done.filter(({ isNewAccount }) => isNewAccount)).toHaveLength(1);
    expect(done.reduce((total, { added }) => total + added, 0)).toBe(9);
    expect(await count("ledger_entry")).toBe(20);
    expect(await count("ledger_account")).toBe(2);
    expect(await count("imported_statement")).toBe(1);
  });

  it("of the next file: nothing is booked or added twice", async () => {
    await load(october);
    const done = (await inParallel(november)).flat();
    expect(done.filter(({ isKnown }) => !isKnown)).toHaveLength(1);
    expect(done.reduce((total, { added, booked }) => total + added + booked, 0)).toBe(3);
    expect(await count("ledger_entry")).toBe(24);
  });

  it("of the next statement under several ids: its entries are entered once", async () => {
    await load(october);
    const copies = Array.from({ length: 8 }, (_, index) =>
      changed(november, "4711-RON-2026-10-19", `COPY-${index}`),
    );
    const done = (await Promise.all(copies.map(load))).flat();
    expect(done.filter(({ isKnown }) => isKnown)).toHaveLength(0);
    expect(done.reduce((total, { added, booked }) => total + added + booked, 0)).toBe(3);
    expect(await count("ledger_entry")).toBe(24);
  });

  it("of files with the same accounts the other way round never wait for each other", async () => {
    const statement = (iban: string, currency: string): MadeStatement => ({
      version: "02",
      id: "1",
      iban,
      currency,
      openingMinor: 5n,
      closingDay: day("2026-10-31"),
      entries: [{ amountMinor: 1n, day: day("2026-10-31"), reference: "R" }],
    });
    const ron = statement("RO04XMPL0000000000004711", "RON");
    const eur = statement("RO74XMPL0000000000004712", "EUR");
    const files = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? fileOf(ron, eur) : fileOf(eur, ron),
    );
    await Promise.all(files.map(load));
    expect(await count("ledger_entry")).toBe(8);
    expect(await count("ledger_account")).toBe(4);
  });
});
