import { describe, expect, it } from "vitest";
import { after } from "../clock";
import type { BooksState } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { access, opened, refused } from "../testing/access";
import { bytes, numberedBooks } from "../testing/numbered-books";
import { entry, now } from "../testing/samples";
import { readTransactions } from "./read-transactions";

const state = (text: string) => text as BooksState;
const day = (text: string) => text as IsoDate;
const inSeconds = (count: number) => after(now, count, "second");

describe("a page that has gone out", () => {
  it("goes out again while the books are the same, and the ledger is not asked", async () => {
    const { send, books } = await numberedBooks();
    expect(await send()).toMatchObject({ entries: [{ id: "a" }] });
    expect(await send()).toEqual({ sentBefore: bytes });
    expect(books.times).toBe(1);
  });

  it("is read anew when the books have changed", async () => {
    const { send, books, bank } = await numberedBooks();
    await send();
    bank.transactions.push(entry("b", "2026-11-20"));
    books.found = state("8");
    books.read = state("8");
    expect(await send()).toMatchObject({ entries: [{ id: "b" }, { id: "a" }] });
    expect(await send()).toEqual({ sentBefore: bytes });
  });

  it("is one of the books that its entries were read from, not of those that were found before", async () => {
    const { send, books } = await numberedBooks();
    books.read = state("8");
    await send();
    expect(await send()).not.toHaveProperty("sentBefore");
    books.found = state("8");
    expect(await send()).toEqual({ sentBefore: bytes });
  });

  it("is read anew after a minute", async () => {
    const { send, consent } = await numberedBooks();
    await send();
    const later = access(consent, inSeconds(60));
    expect(await send({}, later)).not.toHaveProperty("sentBefore");
  });

  it("is counted and entered in the access log each time", async () => {
    const { send, bank } = await numberedBooks();
    for (let times = 0; times < 3; times += 1) await send();
    expect(bank.reads).toHaveLength(3);
  });

  it("is nothing to who may not read it any more", async () => {
    const { send, bank, consent } = await numberedBooks();
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

describe("a page is not kept", () => {
  it.each(["information", "all"] as const)(
    "with standing orders, of which the books' state says nothing: %s",
    async (bookingStatus) => {
      const { send } = await numberedBooks();
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
