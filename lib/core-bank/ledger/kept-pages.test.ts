import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenAccount } from "@/lib/domain/account-access/granted-account";
import { readPage } from "@/lib/domain/account-access/read-page";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountId, PsuId, ResourceId, TransactionId } from "@/lib/domain/identifiers";
import { access } from "@/lib/domain/testing/access";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { validConsent } from "@/lib/domain/testing/samples";
import { keptPages } from "@/lib/kept-pages";
import { type TestDatabase, testDatabase } from "@/lib/postgres/testing";
import { ledgerEntry } from "../../../drizzle/schema/ledger-entry";
import { accountSource } from "./account-source";
import {
  addAccount,
  addCustomer,
  addEntries,
  bookedEntry,
  day,
  pendingEntry,
  today,
} from "./testing";

let database: TestDatabase;
let psu: PsuId;

beforeAll(async () => {
  database = await testDatabase();
  psu = await addCustomer(database.db, "Ana Popescu", "ana");
});
afterAll(() => database.close());

/** A TPP that reads one account's first page, as often as it likes, of one server. */
async function reader() {
  const source = accountSource(database.db);
  const accountId = await addAccount(database.db, { [psu]: "owner" });
  const pages = keptPages({ bytesMax: 10_000_000, secondsMax: aspspProfile.pageKeptSeconds });
  const ports = { accountSource: source, keptPages: pages, profile: aspspProfile };
  const consent = await validConsent(inMemoryBank());
  const [granted] = consent.grantedAccounts;
  if (granted === undefined) throw new Error("nothing granted");
  const resourceId = granted.resourceId as ResourceId;
  let readAnew = 0;
  const read = async (): Promise<readonly TransactionId[]> => {
    const [account] = await source.accounts([accountId]);
    if (account === undefined) throw new Error("no such account");
    const open: OpenAccount = { granted, account };
    const asked = { resourceId, bookingStatus: "both", dateFrom: day("2025-01-01") } as const;
    const page = await readPage(ports, { access: access(consent), open, asked });
    if ("sentBefore" in page) return JSON.parse(Buffer.from(page.sentBefore).toString());
    readAnew += 1;
    const ids = page.entries.map(({ id }) => id);
    page.keep?.(new Uint8Array(Buffer.from(JSON.stringify(ids))));
    return ids;
  };
  return { accountId, read, anew: () => readAnew };
}

describe("a page tells the state of the books that its entries were read from", () => {
  const statuses = ["booked"] as const;
  const always = { statuses, from: day("2025-01-01"), to: today, limit: 2 };
  const stateOf = async (accountId: AccountId) => {
    const [account] = await accountSource(database.db).accounts([accountId]);
    return account?.booksState;
  };

  it("whether it is empty, the first, a following or the last one; the account tells the same", async () => {
    const { transactions } = accountSource(database.db);
    const accountId = await addAccount(database.db, { [psu]: "owner" });
    const empty = await transactions({ ...always, accountId });
    expect(empty).toEqual({ entries: [], booksState: await stateOf(accountId) });
    for (let count = 0; count < 5; count += 1) await enter(accountId);
    const first = await transactions({ ...always, accountId });
    expect(first.booksState).toBe(await stateOf(accountId));
    expect(first.booksState).not.toBe(empty.booksState);
    // Read in the books as they were, and a page of those that are now: the report goes on, the state has changed.
    await enter(accountId);
    if (first.next === undefined) throw new Error("there is no following page");
    const following = await transactions({ ...always, accountId, after: first.next });
    expect(following.booksState).toBe(await stateOf(accountId));
    expect(following.next?.asOf).toBe(first.booksState);
    if (following.next === undefined) throw new Error("there is no last page");
    const last = await transactions({ ...always, accountId, after: following.next });
    expect(last).toMatchObject({ entries: [{}], booksState: await stateOf(accountId) });
    expect(last.next).toBeUndefined();
  });
});

const enter = (accountId: AccountId) => addEntries(database.db, accountId, [bookedEntry(1)]);

describe("a page of the ledger", () => {
  it("goes out again until an entry is entered or booked, and is read anew then", async () => {
    const { accountId, read, anew } = await reader();
    const [pending] = await addEntries(database.db, accountId, [pendingEntry(2)]);
    if (pending === undefined) throw new Error("nothing was entered");
    expect(await read()).toEqual([pending]);
    expect(await read()).toEqual([pending]);
    expect(anew()).toBe(1);
    const [booked] = await enter(accountId);
    expect(await read()).toEqual([booked, pending]);
    expect(await read()).toEqual([booked, pending]);
    expect(anew()).toBe(2);
    await database.db
      .update(ledgerEntry)
      .set({ status: "booked", bookedOn: today })
      .where(eq(ledgerEntry.id, pending));
    expect(await read()).toEqual([pending, booked]);
    expect(anew()).toBe(3);
  });

  it("has every entry that was there when it was asked for, whatever is entered meanwhile", async () => {
    const { accountId, read, anew } = await reader();
    const entered: TransactionId[] = [];
    const wrong: unknown[] = [];
    let isDone = false;
    const readers = Array.from({ length: 6 }, async () => {
      while (!isDone) {
        const before = [...entered];
        const seen = new Set(await read());
        wrong.push(...before.filter((id) => !seen.has(id)));
      }
    });
    for (let count = 0; count < 60; count += 1) {
      entered.push(...(await enter(accountId)));
      await read();
    }
    isDone = true;
    await Promise.all(readers);
    expect(wrong).toEqual([]);
    expect(new Set(await read())).toEqual(new Set(entered));
    expect(anew()).toBeGreaterThanOrEqual(60);
  });
});
