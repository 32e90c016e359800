import { describe, expect, it } from "vitest";
import { after } from "../clock";
import type { BooksState, TransactionId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { access, opened, refused } from "../testing/access";
import { entry, now } from "../testing/samples";
import type { TransactionPage } from "./account-source";
import type { Access } from "./granted-account";
import { readTransactions } from "./read-transactions";
import type { TransactionsAsked } from "./transactions-page";

const state = (text: string) => text as BooksState;
const day = (text: string) => text as IsoDate;
const bytes = Uint8Array.of(1, 2, 3);
const inSeconds = (count: number) => after(now, count, "second");

/** A bank whose books tell their state: that of the account as it is found, and that of the entries as they are read. */
async function numbered() {
  const house = await opened();
  const { bank, ports, consent, resourceId } = house;
  const books = { found: state("7"), read: state("7"), times: 0 };
  for (const [psu, accounts] of bank.accountsOf) {
    bank.accountsOf.set(
      psu,
      accounts.map((account) => {
        return Object.defineProperty({ ...account }, "booksState", { get: () => books.found });
      }),
    );
  }
  bank.transactions.push(entry("a", "2026-11-19"));
  const accountSource: typeof ports.accountSource = {
    ...ports.accountSource,
    transactions: async (query): Promise<TransactionPage> => {
      books.times += 1;
      return { ...(await ports.accountSource.transactions(query)), booksState: books.read };
    },
  };
  const asked = { resourceId, bookingStatus: "booked", dateFrom: day("2026-11-01") } as const;
  const counting = { ...ports, accountSource };
  const read = async (given: Partial<TransactionsAsked> = {}, by: Access = access(consent)) =>
    (await readTransactions(counting, by, { ...asked, ...given })).content;
  /** Reads a page, which then goes out. */
  const send = async (given: Partial<TransactionsAsked> = {}, by: Access = access(consent)) => {
    const page = await read(given, by);
    if ("written" in page) return page;
    page.keep?.(bytes);
    return page;
  };
  return { ...house, ports: counting, books, read, send };
}

describe("a page that has gone out", () => {
  it("goes out again while the books are the same, and the ledger is not asked", async () => {
    const { send, books } = await numbered();
    expect(await send()).toMatchObject({ entries: [{ id: "a" }] });
    expect(await send()).toEqual({ written: bytes });
    expect(books.times).toBe(1);
  });

  it("is read anew when the books have changed", async () => {
    const { send, books, bank } = await numbered();
    await send();
    bank.transactions.push(entry("b", "2026-11-20"));
    books.found = state("8");
    books.read = state("8");
    expect(await send()).toMatchObject({ entries: [{ id: "b" }, { id: "a" }] });
    expect(await send()).toEqual({ written: bytes });
  });

  it("is one of the books that its entries were read from, not of those that were found before", async () => {
    const { send, books } = await numbered();
    books.read = state("8");
    await send();
    expect(await send()).not.toHaveProperty("written");
    books.found = state("8");
    expect(await send()).toEqual({ written: bytes });
  });

  it("is read anew after a minute", async () => {
    const { send, consent } = await numbered();
    await send();
    const later = access(consent, inSeconds(60));
    expect(await send({}, later)).not.toHaveProperty("written");
  });

  it("is counted and entered in the access log each time", async () => {
    const { send, bank } = await numbered();
    for (let times = 0; times < 3; times += 1) await send();
    expect(bank.reads).toHaveLength(3);
  });

  it("is nothing to who may not read it any more", async () => {
    const { send, bank, consent } = await numbered();
    await send();
    const rights = { balances: true, transactions: false, ownerName: false };
    const grantedAccounts = consent.grantedAccounts.map((account) => ({ ...account, rights }));
    await expect(send({}, access({ ...consent, grantedAccounts }))).rejects.toMatchObject(
      refused(401, "CONSENT_INVALID"),
    );
    const asked = { resourceId: "none" };
    await expect(send(asked)).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    const old = { dateFrom: day("2026-08-01") };
    const later = access(consent, inSeconds(11 * 60));
    await expect(send(old, later)).rejects.toMatchObject(refused(400, "PERIOD_INVALID"));
    bank.budget = 0;
    const unattended = { ...access(consent), attended: false };
    await expect(send({}, unattended)).rejects.toMatchObject(refused(429, "ACCESS_EXCEEDED"));
  });
});

describe("another page", () => {
  const cursor = { day: day("2026-11-20"), id: "b" as TransactionId, asOf: state("7") };
  it.each<readonly [string, Partial<TransactionsAsked>]>([
    ["of other lists", { bookingStatus: "both" }],
    ["from another day on", { dateFrom: day("2026-11-02") }],
    ["up to a day", { dateTo: day("2026-11-20") }],
    ["that follows", { after: cursor }],
  ])("is one %s", async (_name, given) => {
    const { send } = await numbered();
    await send();
    expect(await send(given)).not.toHaveProperty("written");
    expect(await send(given)).toEqual({ written: bytes });
  });

  it("is one of the next day, which may have entries of its own", async () => {
    const { send, consent } = await numbered();
    const beforeMidnight = access(consent, new Date("2026-11-20T21:59:50Z"));
    await send({}, beforeMidnight);
    expect(await send({}, beforeMidnight)).toEqual({ written: bytes });
    const afterMidnight = access(consent, new Date("2026-11-20T22:00:00Z"));
    expect(await send({}, afterMidnight)).not.toHaveProperty("written");
  });

  it("is one of the consent's other account", async () => {
    const { send, consent } = await numbered();
    await send();
    const [first] = consent.grantedAccounts;
    if (first === undefined) throw new Error("nothing granted");
    const second = { ...first, resourceId: crypto.randomUUID() as typeof first.resourceId };
    const both = access({ ...consent, grantedAccounts: [first, second] });
    expect(await send({ resourceId: second.resourceId }, both)).not.toHaveProperty("written");
  });

  it("is one of another consent: no TPP can tell what another one has read", async () => {
    const { send, consent } = await numbered();
    await send();
    const other = { ...consent, id: crypto.randomUUID() as typeof consent.id };
    expect(await send({}, access(other))).not.toHaveProperty("written");
  });
});

describe("a page is not kept", () => {
  it.each(["information", "all"] as const)(
    "with standing orders, of which the books' state says nothing: %s",
    async (bookingStatus) => {
      const { send } = await numbered();
      expect(await send({ bookingStatus })).not.toHaveProperty("keep");
    },
  );

  it("where the books cannot tell their state", async () => {
    const { ports, consent, resourceId, bank } = await opened();
    bank.transactions.push(entry("a", "2026-11-19"));
    const asked = { resourceId, bookingStatus: "booked", dateFrom: day("2026-11-01") } as const;
    const { content } = await readTransactions(ports, access(consent), asked);
    expect(content).not.toHaveProperty("keep");
  });
});
