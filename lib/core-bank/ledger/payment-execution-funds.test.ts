import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import { addDays } from "@/lib/domain/iso-date";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { paymentLimitDay } from "../../../drizzle/schema/ledger/payment-limit-day";
import { paymentExecution } from "./payment-execution";
import { addAccount, addCustomer, addEntries, bookedEntry, pendingEntry, today } from "./testing";
import {
  balanceOf,
  duePayment,
  hoursOn,
  money,
  nothingDue,
  now,
  secondsOn,
  stateOf,
  statusesOf,
} from "./testing-payments";

let database: TestDatabase;
let psu: PsuId;
let debtor: AccountId;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await nothingDue(database.db);
  psu = await addCustomer(database.db, "Ana Popescu");
  debtor = await addAccount(database.db, { [psu]: "owner" });
});

const advance = (at = now) => paymentExecution(database.db).advance(at, 20);
const fund = (amountMinor: bigint, entry = bookedEntry(1)) =>
  addEntries(database.db, debtor, [{ ...entry, amountMinor }]);
const account = (set: Partial<typeof ledgerAccount.$inferInsert>) =>
  database.db.update(ledgerAccount).set(set).where(eq(ledgerAccount.id, debtor));
/** RON 10.00 of the debtor's account in RON. */
const ofTen = { amountMinor: 1_000n, currency: money("RON") } as const;
const due = (given: Partial<Parameters<typeof duePayment>[1]> = {}) =>
  duePayment(database.db, { debtor, ...ofTen, ...given });

/** A payment that has taken EUR 1.96 of the EUR 5.00 that the PSU has sent today. */
async function dueWithinLimit(given: Partial<Parameters<typeof duePayment>[1]> = {}) {
  const limit = { psuId: psu, day: today };
  const other = { psuId: psu, day: addDays(today, -1), usedMinor: 700n };
  await database.db.insert(paymentLimitDay).values([{ ...limit, usedMinor: 500n }, other]);
  return due({ limitDay: today, limitMinor: 196n, ...given });
}
/** Of yesterday's limit and of today's. */
async function used() {
  const rows = await database.db
    .select({ minor: paymentLimitDay.usedMinor })
    .from(paymentLimitDay)
    .where(eq(paymentLimitDay.psuId, psu))
    .orderBy(paymentLimitDay.day);
  return rows.map(({ minor }) => minor);
}

describe("funds are there", () => {
  it.each<readonly [string, bigint, boolean]>([
    ["amount and fee to the last ban", 1_300n, true],
    ["one ban too few for the fee", 1_299n, false],
  ])("with %s", async (_what, balance, enough) => {
    await fund(balance);
    const id = await due({ feeMinor: 300n });
    await advance();
    expect((await stateOf(database.db, id)).status).toBe(enough ? "ACSP" : "PDNG");
    expect(await balanceOf(database.db, debtor)).toBe(enough ? 0n : balance);
  });

  it("as far as the overdraft goes, and no further", async () => {
    await account({ overdraftMinor: 1_500n });
    const [first, second] = [await due(), await due({ rejectWithoutFunds: true })];
    await advance();
    expect((await stateOf(database.db, first)).status).toBe("ACSP");
    expect(await stateOf(database.db, second)).toMatchObject({
      status: "RJCT",
      reason: "no-funds",
    });
    expect(await balanceOf(database.db, debtor)).toBe(-1_000n);
  });

  it("not with what is reserved, nor with what is still on its way here", async () => {
    await fund(1_500n);
    await fund(-600n, pendingEntry(0));
    await fund(5_000n, pendingEntry(0));
    const id = await due({ rejectWithoutFunds: true });
    await advance();
    expect((await stateOf(database.db, id)).status).toBe("RJCT");
  });

  it.each(["blocked", "deleted"] as const)(
    "not of an account that is %s by now",
    async (status) => {
      await fund(9_000n);
      await account({ status });
      const id = await due({ rejectWithoutFunds: true });
      await advance();
      expect(await stateOf(database.db, id)).toMatchObject({ status: "RJCT", reason: "no-funds" });
      expect(await balanceOf(database.db, debtor)).toBe(9_000n);
    },
  );
});

describe("a payment without funds", () => {
  it("waits, and is executed when they have come", async () => {
    const id = await dueWithinLimit();
    expect(await advance()).toEqual({ steps: 1 });
    const waiting = { status: "PDNG", statusAt: now, dueAt: secondsOn(30), reason: null };
    expect(await stateOf(database.db, id)).toMatchObject(waiting);
    expect(await advance(secondsOn(29))).toEqual({ steps: 0 });
    await advance(secondsOn(30));
    expect(await stateOf(database.db, id)).toMatchObject({ ...waiting, dueAt: secondsOn(60) });
    await fund(1_000n);
    await advance(secondsOn(60));
    expect(await stateOf(database.db, id)).toMatchObject({
      status: "ACSP",
      statusAt: secondsOn(60),
    });
    expect(await used()).toEqual([700n, 500n]);
    expect(await statusesOf(database.db, id)).toEqual(["ACCP", "ACSP", "PDNG"]);
  });

  it("is rejected at the cut-off, and gives its part of the limit back", async () => {
    const id = await dueWithinLimit();
    await advance();
    await advance(secondsOn(24 * 3_600 - 1));
    expect(await stateOf(database.db, id)).toMatchObject({ status: "PDNG", dueAt: hoursOn(24) });
    await advance(hoursOn(24));
    expect(await stateOf(database.db, id)).toMatchObject({
      status: "RJCT",
      statusAt: hoursOn(24),
      reason: "no-funds",
      dueAt: null,
      limitDay: null,
      limitMinor: null,
    });
    expect(await used()).toEqual([700n, 304n]);
    await fund(9_000n);
    expect(await advance(hoursOn(25))).toEqual({ steps: 0 });
  });

  it("is rejected at once where the TPP prefers that (TPP-Rejection-NoFunds-Preferred)", async () => {
    const id = await dueWithinLimit({ rejectWithoutFunds: true });
    expect(await advance()).toEqual({ steps: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({ status: "RJCT", reason: "no-funds" });
    expect(await statusesOf(database.db, id)).toEqual(["ACCP", "RJCT"]);
    expect(await used()).toEqual([700n, 304n]);
    expect(await balanceOf(database.db, debtor)).toBe(0n);
  });
});
