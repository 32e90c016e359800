import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  type Access,
  listAccounts,
  readAccount,
  readBalances,
  readTransaction,
  readTransactions,
  type TransactionsAsked,
} from "./account-access";
import type { AccountConsent } from "./consents";
import { UnavailableError } from "./errors";
import type { Served } from "./request-context";
import { customersBlocked, inMemoryBank } from "./testing/in-memory-bank";
import { access, openedAccess, readAll, refused, report, resourceIdOf } from "./testing/journeys";
import { ana, current, entry, later, multiEur, now, RON, validConsent } from "./testing/samples";
import type { IsoDate, PsuId, ReportCursor, TransactionId } from "./values";

type World = Awaited<ReturnType<typeof openedAccess>>;
const following = "2026-11-01x" as ReportCursor;
const known = crypto.randomUUID() as string as TransactionId;

/** Each read of account data. */
const reads = [
  [
    "the list of accounts",
    ({ ports, consent }) => listAccounts(ports, access(consent), { withBalance: false }),
  ],
  [
    "the list with balances",
    ({ ports, consent }) => listAccounts(ports, access(consent), { withBalance: true }),
  ],
  [
    "one account",
    ({ ports, consent, resourceId }) =>
      readAccount(ports, access(consent), { resourceId, withBalance: false }),
  ],
  [
    "balances",
    ({ ports, consent, resourceId }) => readBalances(ports, access(consent), resourceId),
  ],
  ["entries", (world) => report(world, { dateFrom: "2026-11-01" })],
  ["standing orders", (world) => report(world, { bookingStatus: "information" })],
  ["both", (world) => report(world, { bookingStatus: "all", dateFrom: "2026-11-01" })],
  [
    "one entry",
    ({ ports, consent, resourceId }) =>
      readTransaction(ports, access(consent), { resourceId, transactionId: known }),
  ],
] as const satisfies readonly (readonly [string, (world: World) => Promise<unknown>])[];

describe("accounts of a consent", () => {
  it("are those the PSU selected and no others", async () => {
    const { bank, ports, consent } = await openedAccess();
    bank.accountsOf.set(ana, [current, multiEur]);
    const { content } = await listAccounts(ports, access(consent), { withBalance: false });
    expect(content.map(({ account }) => account.id)).toEqual(["current"]);
  });

  it("B1: an account not associated with the consent is not served", async () => {
    const { ports, consent } = await openedAccess();
    const other = await validConsent({ ...inMemoryBank() });
    for (const resourceId of [resourceIdOf(other), current.id, current.iban, "x"]) {
      const read = readAccount(ports, access(consent), { resourceId, withBalance: false });
      await expect(read).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    }
  });

  it("an account that was closed since is not served", async () => {
    const { bank, ports, consent, resourceId } = await openedAccess();
    bank.accountsOf.set(ana, [{ ...current, status: "deleted" }]);
    const read = readAccount(ports, access(consent), { resourceId, withBalance: false });
    await expect(read).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    const { content } = await listAccounts(ports, access(consent), { withBalance: true });
    expect(content).toEqual([]);
  });

  it("are asked of the core bank in one call, with their balances or without", async () => {
    const { ports, consent, resourceId } = await openedAccess();
    const calls: string[] = [];
    const coreBank = new Proxy(ports.coreBank, {
      get: (target, method: keyof typeof ports.coreBank) => {
        calls.push(method);
        return target[method];
      },
    });
    const world = { ...ports, coreBank };
    const own = access(consent);
    for (const withBalance of [false, true]) {
      await listAccounts(world, own, { withBalance });
      await readAccount(world, own, { resourceId, withBalance });
    }
    await readBalances(world, own, resourceId);
    await report(
      { ...(await openedAccess()), ports: world, consent, resourceId },
      { dateFrom: "2026-11-01" },
    );
    expect(calls).toEqual([
      ...["accounts", "accounts", "balances", "balances", "balances", "transactions"],
    ]);
  });

  it("B1: an account that is the PSU's no longer is served like one that was never granted, also while another customer has it", async () => {
    const world = await openedAccess();
    const { bank, ports, consent, resourceId } = world;
    bank.transactions.push(entry(known, "2026-11-01"));
    bank.accountsOf.set("elena" as PsuId, [current]).set(ana, [multiEur]);
    const own = access(consent);
    for (const read of [
      () => readAccount(ports, own, { resourceId, withBalance: true }),
      () => readBalances(ports, own, resourceId),
      () => report(world, { dateFrom: "2026-11-01" }),
      () => report(world, { bookingStatus: "information" }),
      () => readTransaction(ports, own, { resourceId, transactionId: known }),
    ]) {
      await expect(read()).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    }
    const { content } = await listAccounts(ports, own, { withBalance: true });
    expect(content).toEqual([]);
  });

  it.each(reads)(
    "B1: under the id of a granted account another IBAN or currency is no answer, and an incident: %s",
    async (_what, read) => {
      const world = await openedAccess();
      world.bank.transactions.push(entry(known, "2026-11-01"));
      const incident = vi.fn((_asked: string, detail: string) => new UnavailableError(detail));
      const coreBank = { ...world.ports.coreBank, malformed: incident };
      const told = { ...world, ports: { ...world.ports, coreBank } };
      await expect(read(told)).resolves.toBeDefined();
      for (const other of [{ iban: multiEur.iban }, { currency: multiEur.currency }]) {
        world.bank.accountsOf.set(ana, [{ ...current, ...other }]);
        await expect(read(told)).rejects.toThrow("another IBAN or currency");
      }
      expect(incident).toHaveBeenCalledTimes(2);
    },
  );

  it("B2: withBalance shows balances only where they are granted", async () => {
    const withRight = await openedAccess();
    const without = await openedAccess({ balances: false, transactions: true, ownerName: false });
    const balances = async ({ ports, consent }: typeof withRight) =>
      (await listAccounts(ports, access(consent), { withBalance: true })).content[0]?.balances;
    expect(await balances(withRight)).toHaveLength(1);
    expect(await balances(without)).toBeUndefined();
  });

  it.each(["balances", "transactions"] as const)("B2: %s need their own right", async (right) => {
    const rights = { balances: true, transactions: true, ownerName: true, [right]: false };
    const world = await openedAccess(rights);
    const { ports, consent, resourceId } = world;
    const read =
      right === "balances"
        ? readBalances(ports, access(consent), resourceId)
        : report(world, { dateFrom: "2026-11-01" });
    await expect(read).rejects.toMatchObject(refused(401, "CONSENT_INVALID"));
  });

  it.each([true, false])(
    "B2: the balance after an entry is shown only with the right to balances: %s",
    async (balances) => {
      const world = await openedAccess({ balances, transactions: true, ownerName: false });
      const { bank, ports, consent, resourceId } = world;
      const balanceAfter = { type: "expected", amount: { currency: RON, minorUnits: 1n } } as const;
      const details = { checkId: "417", balanceAfter };
      bank.transactions.push({ ...entry(known, "2026-11-01"), details });
      const asked = { resourceId, transactionId: known };
      const { content } = await readTransaction(ports, access(consent), asked);
      const { entries } = await report(world, { dateFrom: "2026-11-01" });
      for (const shown of [content.transaction, entries[0]]) {
        expect(shown?.details).toEqual(balances ? details : { checkId: "417" });
      }
    },
  );

  it("a blocked account is listed, but neither its balances nor its transactions are shown", async () => {
    const world = await openedAccess();
    const { bank, ports, consent, resourceId } = world;
    bank.accountsOf.set(ana, [{ ...current, status: "blocked" }]);
    const { content } = await listAccounts(ports, access(consent), { withBalance: true });
    const [listed] = content;
    expect(listed).toMatchObject({ account: { status: "blocked" } });
    expect(listed?.balances).toBeUndefined();
    const blocked = refused(403, "SERVICE_BLOCKED");
    await expect(readBalances(ports, access(consent), resourceId)).rejects.toMatchObject(blocked);
    await expect(report(world, { dateFrom: "2026-11-01" })).rejects.toMatchObject(blocked);
  });
});

it.each(reads)(
  "of a PSU blocked in all channels is 403 SERVICE_BLOCKED, and no access: %s",
  async (_what, read) => {
    const world = await openedAccess();
    const { bank, ports } = world;
    const coreBank = { ...ports.coreBank, ...customersBlocked };
    const asked = read({ ...world, ports: { ...ports, coreBank } });
    await expect(asked).rejects.toMatchObject(refused(403, "SERVICE_BLOCKED"));
    expect([bank.admissions, bank.reads]).toEqual([[], []]);
  },
);

describe("transactions", () => {
  it("an unknown transactionId is not served, whatever it looks like", async () => {
    const { ports, consent, resourceId } = await openedAccess();
    for (const id of [crypto.randomUUID(), "1", "' or 1=1"]) {
      const asked = { resourceId, transactionId: id as string as TransactionId };
      const read = readTransaction(ports, access(consent), asked);
      await expect(read).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    }
  });

  it("a dateTo in the future means today", async () => {
    const world = await openedAccess();
    world.bank.transactions.push(entry("a", "2026-11-20"), entry("b", "2026-11-21"));
    const page = await report(world, { dateFrom: "2026-11-01", dateTo: "2027-01-01" });
    expect(page.entries.map(({ id }) => id)).toEqual(["a"]);
  });

  it("the core bank is asked for a following page with the last entry of the page before", async () => {
    const { ports, consent, resourceId } = await openedAccess();
    const transactions = vi.fn(ports.coreBank.transactions);
    const world = { ...ports, coreBank: { ...ports.coreBank, transactions } };
    const last = { id: known, day: "2026-11-01" as IsoDate };
    const dateFrom = "2026-11-01" as IsoDate;
    const asked = {
      resourceId,
      bookingStatus: "booked",
      dateFrom,
      after: following,
      last,
    } as const;
    await readTransactions(world, access(consent), asked);
    expect(transactions).toHaveBeenCalledWith(expect.objectContaining({ after: following, last }));
  });

  it("a cursor of another account's report is refused, before the right is judged", async () => {
    const rights = { balances: true, transactions: false, ownerName: false };
    const { ports, consent, resourceId } = await openedAccess(rights);
    const asked = { resourceId, bookingStatus: "booked", reportOf: "another" } as const;
    const read = readTransactions(ports, access(consent), asked);
    await expect(read).rejects.toMatchObject(refused(400, "FORMAT_ERROR"));
  });

  it("pages neither repeat nor skip an entry, and come newest first", async () => {
    const days = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 350 });
    await fc.assert(
      fc.asyncProperty(days, async (drawn) => {
        const world = await openedAccess();
        const all = drawn.map((day, index) =>
          entry(String(index).padStart(4, "0"), `2026-11-${String(day).padStart(2, "0")}`),
        );
        world.bank.transactions.push(...all);
        const read = await readAll(world);
        expect(read).toHaveLength(all.length);
        expect(new Set(read).size).toBe(all.length);
      }),
      { numRuns: 20 },
    );
  });
});

describe("the standing-order list", () => {
  const order = (id: string, endDate?: string) => ({
    ...entry(id, "2026-01-01"),
    startDate: "2025-01-01" as IsoDate,
    frequency: "Monthly" as const,
    ...(endDate === undefined ? {} : { endDate: endDate as IsoDate }),
  });

  it("is returned when the booking status is information or all, and holds active orders only", async () => {
    const world = await openedAccess();
    world.bank.standingOrders.push(order("a"), order("b", "2026-11-20"), order("c", "2026-11-19"));
    const listed = async (bookingStatus: "booked" | "information" | "all") =>
      (await report(world, { bookingStatus, dateFrom: "2026-11-01" })).standingOrders.map(
        ({ id }) => id,
      );
    expect(await listed("information")).toEqual(["a", "b"]);
    expect(await listed("all")).toEqual(["a", "b"]);
    expect(await listed("booked")).toEqual([]);
  });
});

describe("the transaction history window", () => {
  it("has no limit during the first 10 minutes of the consent", async () => {
    await expect(
      report(await openedAccess(), { dateFrom: "2020-01-01" }, later(9.99)),
    ).resolves.toBeDefined();
  });

  it("B6: is 90 days back from the request afterwards, the ninetieth included", async () => {
    const world = await openedAccess();
    const ask = (dateFrom: string) => report(world, { dateFrom }, later(10));
    await expect(ask("2026-08-22")).resolves.toBeDefined();
    await expect(ask("2026-08-21")).rejects.toMatchObject(refused(400, "PERIOD_INVALID"));
  });

  it("is as on the day before for a report that goes on after midnight, and then ends on the same day", async () => {
    const { ports, consent, resourceId } = await openedAccess();
    const transactions = vi.fn(ports.coreBank.transactions);
    const world = { ...ports, coreBank: { ...ports.coreBank, transactions } };
    const day = { dateFrom: "2026-08-22" as IsoDate };
    const read = (asked: Omit<TransactionsAsked, "resourceId" | "bookingStatus">, hours: number) =>
      readTransactions(world, access(consent, later(hours * 60)), {
        ...asked,
        resourceId,
        bookingStatus: "booked",
      });
    const { asked } = (await read(day, 1)).content;
    await expect(read(day, 13)).rejects.toMatchObject(refused(400, "PERIOD_INVALID"));
    await read({ ...asked, after: following }, 13);
    expect(transactions.mock.calls.map(([{ to }]) => to)).toEqual(["2026-11-20", "2026-11-20"]);
    await expect(read({ ...asked, after: following }, 37)).rejects.toMatchObject({
      faults: [{ code: "PERIOD_INVALID", path: "cursor" }],
    });
  });

  it("holds for a single transaction as well", async () => {
    const world = await openedAccess();
    const { bank, ports, consent, resourceId } = world;
    const id = crypto.randomUUID() as string as TransactionId;
    bank.transactions.push(entry(id, "2026-08-21"));
    const read = (at: Date) =>
      readTransaction(ports, access(consent, at), { resourceId, transactionId: id });
    await expect(read(later(9.99))).resolves.toBeDefined();
    await expect(read(later(10))).rejects.toMatchObject(refused(400, "PERIOD_INVALID"));
  });

  it("dates are ignored when bookingStatus is information", async () => {
    const world = await openedAccess();
    await expect(
      report(world, { bookingStatus: "information", dateFrom: "2020-01-01" }, later(60)),
    ).resolves.toMatchObject({ entries: [] });
  });
});

const unattended = (consent: AccountConsent): Access => ({ ...access(consent), attended: false });

describe("the access history", () => {
  it.each([true, false])(
    "has every read that was served; caused by the PSU: %s",
    async (attended) => {
      const { bank, ports, consent, resourceId } = await openedAccess();
      bank.transactions.push(entry(known, "2026-11-01"));
      const who = { ...access(consent), attended };
      await listAccounts(ports, who, { withBalance: false });
      await listAccounts(ports, who, { withBalance: true });
      await readAccount(ports, who, { resourceId, withBalance: false });
      await readAccount(ports, who, { resourceId, withBalance: true });
      await readBalances(ports, who, resourceId);
      const report = {
        resourceId,
        bookingStatus: "all",
        dateFrom: "2026-11-01" as IsoDate,
      } as const;
      await readTransactions(ports, who, report);
      await readTransactions(ports, who, { ...report, after: following });
      await readTransaction(ports, who, { resourceId, transactionId: known });
      const line = {
        consentId: consent.id,
        tppId: consent.tppId,
        at: now,
        attended,
        requestId: who.requestId,
      };
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
    const { bank, ports, consent, resourceId } = await openedAccess(rights);
    await listAccounts(ports, access(consent), { withBalance: true });
    await readAccount(ports, access(consent), { resourceId, withBalance: true });
    expect(bank.reads.map(({ what }) => what)).toEqual(["accounts", "account-details"]);
  });

  it.each([true, false])("has no refused call; caused by the PSU: %s", async (attended) => {
    const { bank, ports, consent, resourceId } = await openedAccess();
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
    const { bank, ports, consent, resourceId } = await openedAccess();
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
    const { bank, ports, consent } = await openedAccess();
    bank.budget = 0;
    const listed = listAccounts(ports, unattended(consent), { withBalance: false });
    await expect(listed).rejects.toMatchObject({
      ...refused(429, "ACCESS_EXCEEDED"),
      headers: { "retry-after": "91" },
    });
  });

  it.each<readonly [string, (world: World, who: Access) => Promise<Served<unknown>>]>([
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
  ])("each answer has the rest of the budget: %s", async (_what, read) => {
    const world = await openedAccess();
    world.bank.transactions.push(entry(known, "2026-11-01"));
    world.bank.budget = 4;
    const rest = async (who: Access) => (await read(world, who)).allowance;
    expect(await rest(unattended(world.consent))).toEqual({
      limit: 4,
      left: 3,
      resetSeconds: 91,
    });
    expect(await rest(unattended(world.consent))).toMatchObject({ left: 2 });
    expect(await rest(access(world.consent))).toBeUndefined();
  });

  it("the refusal says that nothing is left of the budget", async () => {
    const { bank, ports, consent } = await openedAccess();
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
    const { bank, ports, consent } = await openedAccess();
    bank.budget = 0;
    await expect(
      listAccounts(ports, access(consent), { withBalance: false }),
    ).resolves.toMatchObject({ allowance: undefined });
  });

  it("that are refused for another reason do not count", async () => {
    const { bank, ports, consent } = await openedAccess();
    await Promise.allSettled([
      readBalances(ports, unattended(consent), "unknown"),
      readTransactions(ports, unattended(consent), {
        resourceId: "unknown",
        bookingStatus: "all",
      }),
    ]);
    expect(bank.admissions).toEqual([]);
  });

  it("following pages are part of the first access", async () => {
    const { bank, ports, consent, resourceId } = await openedAccess();
    const asked = {
      resourceId,
      bookingStatus: "booked",
      dateFrom: "2026-11-01" as IsoDate,
    } as const;
    bank.budget = 2;
    const page = await readTransactions(ports, unattended(consent), {
      ...asked,
      after: following,
    });
    expect(bank.admissions).toEqual([]);
    expect(page.allowance).toMatchObject({ limit: 4, left: 2 });
  });
});
