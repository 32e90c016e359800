import { describe, expect, it } from "vitest";
import type { AccountConsent } from "../consent/account-consent";
import type { BooksState, TransactionId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { access, opened, refused } from "../testing/access";
import { current, entry, now } from "../testing/samples";
import type { Served } from "./allowance";
import type { Access } from "./granted-account";
import { listAccounts, readAccount } from "./read-accounts";
import { readBalances } from "./read-balances";
import { readTransaction, readTransactions } from "./read-transactions";

type House = Awaited<ReturnType<typeof opened>>;
const known = crypto.randomUUID() as string as TransactionId;
const following = {
  day: "2026-11-01" as IsoDate,
  id: "x" as TransactionId,
  asOf: "the only one" as BooksState,
};
const unattended = (consent: AccountConsent): Access => ({ ...access(consent), attended: false });

describe("the access history", () => {
  it.each([true, false])(
    "has every read that was served; caused by the PSU: %s",
    async (attended) => {
      const { bank, ports, consent, resourceId } = await opened();
      bank.transactions.push(entry(known, "2026-11-01"));
      const who = { ...access(consent), attended };
      await listAccounts(ports, who, { withBalance: false });
      await listAccounts(ports, who, { withBalance: true });
      await readAccount(ports, who, { resourceId, withBalance: false });
      await readAccount(ports, who, { resourceId, withBalance: true });
      await readBalances(ports, who, resourceId);
      const report = { resourceId, bookingStatus: "all", dateFrom: following.day } as const;
      await readTransactions(ports, who, report);
      await readTransactions(ports, who, { ...report, after: following });
      await readTransaction(ports, who, { resourceId, transactionId: known });
      const line = { consentId: consent.id, tppId: consent.tppId, at: now, attended };
      const accountId = current.id;
      expect(bank.reads).toEqual([
        { ...line, what: "accounts" },
        { ...line, what: "accounts-with-balances" },
        { ...line, what: "account-details", accountId },
        { ...line, what: "account-details-with-balances", accountId },
        { ...line, what: "balances", accountId },
        { ...line, what: "transactions", accountId },
        { ...line, what: "transactions", accountId },
        { ...line, what: "transaction", accountId },
      ]);
    },
  );

  it("does not say that balances were read where none are shown", async () => {
    const rights = { balances: false, transactions: true, ownerName: false };
    const { bank, ports, consent, resourceId } = await opened(rights);
    await listAccounts(ports, access(consent), { withBalance: true });
    await readAccount(ports, access(consent), { resourceId, withBalance: true });
    expect(bank.reads.map(({ what }) => what)).toEqual(["accounts", "account-details"]);
  });

  it.each([true, false])("has no refused call; caused by the PSU: %s", async (attended) => {
    const { bank, ports, consent, resourceId } = await opened();
    bank.budget = 0;
    const who = { ...access(consent), attended };
    await Promise.allSettled([
      readBalances(ports, who, "unknown"),
      readAccount(ports, who, { resourceId: "unknown", withBalance: false }),
      readTransactions(ports, who, { resourceId: "unknown", bookingStatus: "all" }),
      readTransaction(ports, who, { resourceId, transactionId: known }),
    ]);
    if (!attended) {
      await Promise.allSettled([listAccounts(ports, who, { withBalance: true })]);
    }
    expect(bank.reads).toEqual([]);
  });
});

describe("unattended accesses", () => {
  it("are counted per endpoint and account", async () => {
    const { bank, ports, consent, resourceId } = await opened();
    bank.transactions.push(entry(known, "2026-11-01"));
    const who = unattended(consent);
    await listAccounts(ports, who, { withBalance: true });
    await readAccount(ports, who, { resourceId, withBalance: false });
    await readBalances(ports, who, resourceId);
    await readTransactions(ports, who, { resourceId, bookingStatus: "all" });
    await readTransaction(ports, who, { resourceId, transactionId: known });
    expect(bank.admissions).toEqual([
      "accounts",
      `account:${resourceId}`,
      `balances:${resourceId}`,
      `transactions:${resourceId}`,
      `transaction:${resourceId}:${known}`,
    ]);
  });

  it("beyond frequencyPerDay are refused, with the seconds to wait", async () => {
    const { bank, ports, consent } = await opened();
    bank.budget = 0;
    const listed = listAccounts(ports, unattended(consent), { withBalance: false });
    await expect(listed).rejects.toMatchObject({
      ...refused(429, "ACCESS_EXCEEDED"),
      headers: { "retry-after": "91" },
    });
  });

  it.each<readonly [string, (house: House, who: Access) => Promise<Served<unknown>>]>([
    ["the list of accounts", ({ ports }, who) => listAccounts(ports, who, { withBalance: true })],
    [
      "one account",
      ({ ports, resourceId }, who) => readAccount(ports, who, { resourceId, withBalance: false }),
    ],
    ["balances", ({ ports, resourceId }, who) => readBalances(ports, who, resourceId)],
    [
      "transactions",
      ({ ports, resourceId }, who) =>
        readTransactions(ports, who, { resourceId, bookingStatus: "information" }),
    ],
    [
      "one transaction",
      ({ ports, resourceId }, who) =>
        readTransaction(ports, who, { resourceId, transactionId: known }),
    ],
  ])("each answer tells the rest of the budget: %s", async (_what, read) => {
    const house = await opened();
    house.bank.transactions.push(entry(known, "2026-11-01"));
    house.bank.budget = 4;
    const rest = async (who: Access) => (await read(house, who)).allowance;
    expect(await rest(unattended(house.consent))).toEqual({ limit: 4, left: 3, resetSeconds: 91 });
    expect(await rest(unattended(house.consent))).toMatchObject({ left: 2 });
    expect(await rest(access(house.consent))).toBeUndefined();
  });

  it("the refusal tells that nothing is left of the budget", async () => {
    const { bank, ports, consent } = await opened();
    bank.budget = 0;
    const listed = listAccounts(ports, unattended(consent), { withBalance: false });
    await expect(listed).rejects.toMatchObject({
      headers: {
        "ratelimit-limit": "4",
        "ratelimit-remaining": "0",
        "ratelimit-reset": "91",
      },
    });
  });

  it("that the PSU caused are never counted", async () => {
    const { bank, ports, consent } = await opened();
    bank.budget = 0;
    await expect(
      listAccounts(ports, access(consent), { withBalance: false }),
    ).resolves.toMatchObject({ allowance: undefined });
  });

  it("that are refused for another reason do not count", async () => {
    const { bank, ports, consent } = await opened();
    await Promise.allSettled([
      readBalances(ports, unattended(consent), "unknown"),
      readTransactions(ports, unattended(consent), { resourceId: "unknown", bookingStatus: "all" }),
    ]);
    expect(bank.admissions).toEqual([]);
  });

  it("following pages are part of the first access", async () => {
    const { bank, ports, consent, resourceId } = await opened();
    const asked = {
      resourceId,
      bookingStatus: "booked",
      dateFrom: "2026-11-01" as IsoDate,
    } as const;
    bank.budget = 2;
    const page = await readTransactions(ports, unattended(consent), { ...asked, after: following });
    expect(bank.admissions).toEqual([]);
    expect(page.allowance).toMatchObject({ limit: 4, left: 2 });
  });
});
