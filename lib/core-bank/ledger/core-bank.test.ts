import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountId, Currency, PsuId } from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { checkFunds } from "./core-bank";
import { addAccount, addCustomer, addEntries, bookedEntry, pendingEntry } from "./testing";

let database: TestDatabase;
let psuId: PsuId;
beforeAll(async () => {
  database = await testDatabase();
  psuId = await addCustomer(database.db, "Ana Popescu");
});
afterAll(() => database.close());

const open = (account: Parameters<typeof addAccount>[2] = {}) =>
  addAccount(database.db, { [psuId]: "owner" }, account);
const RON = "RON" as Currency;
const funds = (accountId: AccountId, minorUnits = 1n, currency = RON) =>
  checkFunds(
    database.db,
    aspspProfile,
  )({ accountId, customerId: psuId, amounts: [{ currency, minorUnits }] });

describe("the available funds of an account", () => {
  it("are balance plus overdraft less what is reserved; money on its way is none", async () => {
    const accountId = await open({ overdraftMinor: 50_00n });
    await addEntries(database.db, accountId, [
      { ...bookedEntry(3), amountMinor: 1_000_00n },
      { ...pendingEntry(1), amountMinor: -200_00n },
      { ...pendingEntry(1), amountMinor: 7_000_00n },
    ]);
    const compared = (minorUnits: bigint, isCovered: boolean) => ({
      currency: RON,
      status: "enabled",
      compared: [{ amount: { currency: RON, minorUnits }, isCovered }],
    });
    expect(await funds(accountId, 850_00n)).toEqual(compared(850_00n, true));
    expect(await funds(accountId, 850_01n)).toEqual(compared(850_01n, false));
    // 1 EUR is 5.09 RON.
    expect(await funds(accountId, 1_00n, "EUR" as Currency)).toEqual(compared(5_09n, true));
    expect(await funds(accountId, 1n, "JPY" as Currency)).toEqual({
      currency: RON,
      status: "enabled",
      compared: [undefined],
    });
  });

  it("are returned for a blocked account, with its status", async () => {
    expect(await funds(await open({ status: "blocked" }))).toMatchObject({ status: "blocked" });
  });

  it.each([
    ["that was never there", async () => crypto.randomUUID() as string as AccountId],
    ["of another core bank", async () => "account-1" as AccountId],
    [
      "that is somebody else's",
      async () => addAccount(database.db, { [await addCustomer(database.db, "Elena")]: "owner" }),
    ],
    ["that is no payment account", () => open({ kind: "savings" })],
    ["that is closed", () => open({ status: "deleted" })],
  ])("are not returned for one %s", async (_which, account) => {
    expect(await funds(await account())).toBeUndefined();
  });
});
