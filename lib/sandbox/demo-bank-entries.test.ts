import { describe, expect, it } from "vitest";
import { addDays, type IsoDate } from "@/lib/domain/values";
import { demoMovements, type Movement } from "./demo-bank-entries";
import { type AccountKey, demoAccounts } from "./demo-bank-people";

/** First starts all over two years: every weekday, every part of a month, a leap day before them. */
const starts = Array.from({ length: 80 }, (_, n) => addDays("2028-03-01" as IsoDate, 9 * n));
const keys = Object.keys(demoAccounts) as AccountKey[];

/** Amounts and days as one account sees them. */
function seenFrom(account: AccountKey, movements: readonly Movement[]) {
  return movements.flatMap((movement) => {
    const day = movement.bookedOn ?? movement.enteredOn;
    if (movement.account === account) return [{ day, amount: movement.amountMinor }];
    return movement.counter === account ? [{ day, amount: -movement.amountMinor }] : [];
  });
}

describe("the movements of the demo bank", () => {
  it("are the same for the same day", () => {
    const today = "2026-11-20" as IsoDate;
    expect(demoMovements(today)).toEqual(demoMovements(today));
  });

  it("never take an account below zero, except the loan, whenever the bank is first started", () => {
    const below = starts.flatMap((today) => {
      const movements = demoMovements(today);
      return keys
        .filter((key) => key !== "anaLoan" && lowest(seenFrom(key, movements)) < 0n)
        .map((key) => `${key} on ${today}`);
    });
    expect(below).toEqual([]);
  });

  it("leave mihai with 37.40 RON and enough for ana to page through, whenever it is first started", () => {
    for (const today of starts) {
      const movements = demoMovements(today);
      const mihai = movements.filter(({ account }) => account === "mihaiCurrent");
      expect(mihai.reduce((sum, { amountMinor }) => sum + amountMinor, 0n)).toBe(3_740n);
      expect(mihai.every(({ bookedOn }) => bookedOn !== undefined && bookedOn < today)).toBe(true);
      const ana = movements.filter(({ account }) => account === "anaCurrent");
      const booked = ana.filter(({ bookedOn }) => bookedOn !== undefined);
      expect(booked.length).toBeGreaterThanOrEqual(450);
      expect(ana.length - booked.length).toBeGreaterThanOrEqual(3);
    }
  });

  it("leave ana with more than EUR 100.00 to pay with, whenever it is first started", () => {
    for (const today of starts) {
      const seen = demoMovements(today).filter(({ account }) => account === "travelEur");
      const counts = seen.filter(({ bookedOn, amountMinor }) => bookedOn || amountMinor < 0n);
      const funds = counts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
      expect(funds).toBeGreaterThan(10_000n);
    }
  });

  it("are not in the future, and fit the standard's fields", () => {
    const today = "2026-11-20" as IsoDate;
    for (const movement of demoMovements(today)) {
      expect((movement.bookedOn ?? movement.enteredOn) <= today).toBe(true);
      expect(movement.remittance.length).toBeLessThanOrEqual(140);
      expect(movement.party.name.length).toBeLessThanOrEqual(70);
      expect(movement.code).toMatch(/^[A-Z]{4}-[A-Z]{4}-[A-Z]{4}$/);
    }
  });
});

function lowest(entries: readonly { readonly day: IsoDate; readonly amount: bigint }[]): bigint {
  const inOrder = [...entries].sort((one, other) => one.day.localeCompare(other.day));
  let balance = 0n;
  let least = 0n;
  for (const { amount } of inOrder) {
    balance += amount;
    if (balance < least) least = balance;
  }
  return least;
}
