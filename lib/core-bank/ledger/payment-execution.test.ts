import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccountReads } from "@/lib/domain/core-bank";
import type { AccountId, PaymentId, PsuId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledger } from "./core-bank";
import { paymentExecution } from "./payment-execution";
import { addAccount, addCustomer, addEntries, bookedEntry, day } from "./testing";
import {
  balanceOf,
  duePayment,
  elsewhere,
  moneyMadeOrLost,
  nothingDue,
  now,
  secondsOn,
  stateOf,
  statusesOf,
} from "./testing-payments";

let database: TestDatabase;
let source: AccountReads;
let psu: PsuId;
let debtor: AccountId;

beforeAll(async () => {
  database = await testDatabase();
  source = ledger(database.db);
  psu = await addCustomer(database.db, "Ana Popescu");
});
afterAll(() => database.close());
beforeEach(async () => {
  await nothingDue(database.db);
  debtor = await addAccount(database.db, { [psu]: "owner" });
  await addEntries(database.db, debtor, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
});

const advance = (at = now) => paymentExecution(database.db).advance(at, 20);
const statusOf = async (id: PaymentId) => (await stateOf(database.db, id)).status;

/** What a TPP sees of the account, newest first, without what was there before. */
async function entries() {
  const range = { from: day("2026-11-20"), to: day("2026-12-31"), limit: 100 };
  const statuses = ["booked", "pending"] as const;
  return (await source.transactions({ accountId: debtor, statuses, ...range }))?.entries ?? [];
}

const instant = { product: "instant-sepa-credit-transfers", amountMinor: 5_000n } as const;

describe("an accepted payment", () => {
  it("is debited at once, and settled when its product settles", async () => {
    const id = await duePayment(database.db, { debtor });
    expect(await advance()).toEqual({ steps: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({
      status: "ACSP",
      statusAt: now,
      dueAt: secondsOn(5),
    });
    expect(await advance(secondsOn(4.999))).toEqual({ steps: 0 });
    expect(await advance(secondsOn(5))).toEqual({ steps: 1 });
    expect(await stateOf(database.db, id)).toMatchObject({
      status: "ACSC",
      statusAt: secondsOn(5),
      dueAt: null,
      reason: null,
    });
    expect(await statusesOf(database.db, id)).toEqual(["ACCP", "ACSC", "ACSP"]);
    expect(await moneyMadeOrLost(database.db)).toEqual([]);
  });

  it("that is instant comes to ACCC in one turn", async () => {
    const id = await duePayment(database.db, { debtor, ...instant });
    expect(await advance()).toEqual({ steps: 3 });
    expect(await stateOf(database.db, id)).toMatchObject({ status: "ACCC", dueAt: null });
    const all = ["ACCC", "ACCP", "ACSC", "ACSP"];
    expect(await statusesOf(database.db, id)).toEqual(all);
    expect(await advance(secondsOn(60))).toEqual({ steps: 0 });
  });

  it("shows in AIS pending, then booked, under one transactionId", async () => {
    const id = await duePayment(database.db, {
      debtor,
      creditorAgent: "ELBEDEFF" as never,
      endToEndId: "E2E-1",
      remittance: "Illustrations",
    });
    await advance();
    const [pending, ...others] = await entries();
    expect(others).toEqual([]);
    expect(pending).toMatchObject({
      status: "pending",
      amount: { currency: "RON", minorUnits: -6_363n },
      day: "2026-11-20",
      valueDate: "2026-11-20",
      counterparty: { name: "Lindqvist & Falk GmbH", iban: elsewhere, bic: "ELBEDEFF" },
      bankTransactionCode: "PMNT-ICDT-ESCT",
      remittance: "Illustrations",
      endToEndId: "E2E-1",
      entryReference: id.replaceAll("-", ""),
    });
    await advance(secondsOn(5));
    expect(await entries()).toEqual([{ ...pending, status: "booked" }]);
  });

  it("is booked on the local day of its settlement", async () => {
    const lateEvening = new Date("2026-11-20T21:59:58Z");
    await duePayment(database.db, { debtor });
    await advance(lateEvening);
    await advance(new Date("2026-11-20T22:00:03Z"));
    expect(await entries()).toMatchObject([{ day: "2026-11-21", valueDate: "2026-11-21" }]);
  });

  it("is booked also when the clock was set back in between", async () => {
    const id = await duePayment(database.db, { debtor });
    await advance(new Date("2026-11-20T23:00:00Z"));
    await database.sql`update ledger_payment set due_at = ${now.toISOString()}`;
    await advance();
    expect(await statusOf(id)).toBe("ACSC");
    expect(await entries()).toMatchObject([{ status: "booked", day: "2026-11-21" }]);
  });

  it("has its fee as an entry of its own", async () => {
    const id = await duePayment(database.db, {
      debtor,
      product: "target-2-payments",
      feeMinor: 3_054n,
    });
    await advance();
    expect(await balanceOf(database.db, debtor)).toBe(100_000n - 6_363n - 3_054n);
    await advance(secondsOn(2));
    const [fee] = (await entries()).filter(({ amount }) => amount.minorUnits === -3_054n);
    expect(await entries()).toHaveLength(2);
    expect(fee).toMatchObject({
      status: "booked",
      counterparty: { name: "Drawbridge Bank", bic: "DRWBROBU" },
      bankTransactionCode: "PMNT-ICDT-CHRG",
      remittance: `Fee for payment ${id}`,
      entryReference: `F${id.replaceAll("-", "")}`,
    });
  });

  it("B15: refused by the books when it would be debited a second time", async () => {
    const id = await duePayment(database.db, { debtor });
    await advance();
    const again = { ...bookedEntry(0), entryReference: id.replaceAll("-", "") };
    await expect(addEntries(database.db, debtor, [again])).rejects.toMatchObject({
      cause: { constraint_name: "ledger_entry_reference" },
    });
  });

  it("takes no more steps at once than asked for, those due for longest first", async () => {
    const second = await duePayment(database.db, { debtor });
    const first = await duePayment(database.db, { debtor, dueAt: secondsOn(-1) });
    expect(await paymentExecution(database.db).advance(now, 1)).toEqual({ steps: 1 });
    expect([await statusOf(first), await statusOf(second)]).toEqual(["ACSP", "ACCP"]);
  });
});
