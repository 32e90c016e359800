import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountId, PsuId } from "@/lib/domain/values";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { availableFunds } from "./core-bank";
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
const funds = (accountId: AccountId) => availableFunds(database.db)(accountId, psuId);

describe("the available funds of an account", () => {
  it("are balance plus overdraft less what is reserved; money on its way is none", async () => {
    const accountId = await open({ overdraftMinor: 50_00n });
    await addEntries(database.db, accountId, [
      { ...bookedEntry(3), amountMinor: 1_000_00n },
      { ...pendingEntry(1), amountMinor: -200_00n },
      { ...pendingEntry(1), amountMinor: 7_000_00n },
    ]);
    const available = { currency: "RON", minorUnits: 850_00n };
    expect(await funds(accountId)).toEqual({ currency: "RON", status: "enabled", available });
  });

  it("are told of a blocked account, with its status", async () => {
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
  ])("are not told of one %s", async (_which, account) => {
    expect(await funds(await account())).toBeUndefined();
  });
});
