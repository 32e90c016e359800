import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PsuId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  day,
  type NewEntry,
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
describe("the table of entries refuses", () => {
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
