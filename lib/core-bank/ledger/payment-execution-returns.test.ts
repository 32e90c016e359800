import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AccountId, PsuId } from "@/lib/domain/identifiers";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import type { ledgerAccount } from "../../../drizzle/schema/ledger/account";
import { ledgerEntry } from "../../../drizzle/schema/ledger/entry";
import { paymentLimitDay } from "../../../drizzle/schema/ledger/payment-limit-day";
import { addAccount, addCustomer, addEntries, bookedEntry, today } from "./testing";
import {
  balanceOf,
  executed,
  type Given,
  money,
  moneyMadeOrLost,
  newIban,
} from "./testing-payments";

type Account = Partial<typeof ledgerAccount.$inferInsert>;
let database: TestDatabase;
let ana: PsuId;
let debtor: AccountId;

beforeAll(async () => {
  database = await testDatabase();
  ana = await addCustomer(database.db, "Ana Popescu");
});
afterAll(async () => {
  expect(await moneyMadeOrLost(database.db)).toEqual([]);
  await database.close();
});
beforeEach(async () => {
  debtor = await addAccount(database.db, { [ana]: "owner" });
  await addEntries(database.db, debtor, [{ ...bookedEntry(1), amountMinor: 100_000n }]);
});

const pay = (given: Partial<Given>) => executed(database.db, { debtor, ...given });
const entriesOf = (id: AccountId) =>
  database.db.select().from(ledgerEntry).where(eq(ledgerEntry.accountId, id));
const returned = { status: "RJCT", reason: "creditor-account-closed", dueAt: null };

describe("what cannot be credited goes back to the debtor", () => {
  it.each<readonly [string, string, Account | undefined]>([
    ["a closed account", "DRWB", { status: "deleted" }],
    ["a closed account that had come with another bank's IBAN", "XMPL", { status: "deleted" }],
    ["a blocked account", "DRWB", { status: "blocked" }],
    ["a loan", "DRWB", { kind: "loan" }],
    ["an account in a currency without a rate", "DRWB", { currency: money("JPY") }],
    ["an IBAN of this bank that nobody has", "DRWB", undefined],
  ])("%s", async (_what, bank, account) => {
    const creditorIban = newIban(bank);
    const creditor =
      account &&
      (await addAccount(database.db, { [ana]: "owner" }, { iban: creditorIban, ...account }));
    expect(await pay({ creditorIban })).toMatchObject(returned);
    if (creditor) expect(await entriesOf(creditor)).toEqual([]);
    expect(await balanceOf(database.db, debtor)).toBe(100_000n);
  });

  it("with its fee, as entries of their own beside the booked debit; the limit is given back", async () => {
    await database.db.insert(paymentLimitDay).values({ psuId: ana, day: today, usedMinor: 2_000n });
    const limit = { limitDay: today, limitMinor: 1_250n };
    const creditorIban = newIban();
    const state = await pay({ creditorIban, feeMinor: 3_054n, ...limit });
    expect(state).toMatchObject({ ...returned, limitDay: null, limitMinor: null });
    const hex = state.id.replaceAll("-", "");
    const rows = (await entriesOf(debtor)).filter(({ entryReference }) => entryReference !== null);
    expect(rows.every(({ status }) => status === "booked")).toBe(true);
    const told = rows.map((row) => [row.entryReference, row.amountMinor, row.bankTransactionCode]);
    expect(told.sort()).toEqual(
      [
        [hex, -6_363n, "PMNT-ICDT-ESCT"],
        [`F${hex}`, -3_054n, "PMNT-ICDT-CHRG"],
        [`R${hex}`, 6_363n, "PMNT-ICDT-RRTN"],
        [`RF${hex}`, 3_054n, "PMNT-ICDT-RRTN"],
      ].sort(),
    );
    const [day] = await database.db
      .select()
      .from(paymentLimitDay)
      .where(eq(paymentLimitDay.psuId, ana));
    expect(day?.usedMinor).toBe(750n);
  });
});
