import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AccountConsent } from "../consent/account-consent";
import type { TransactionId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { inMemoryBank } from "../testing/in-memory-bank";
import { ana, current, entry, later, multiEur, now, validConsent } from "../testing/samples";
import type { Access } from "./granted-account";
import { listAccounts, readAccount } from "./read-accounts";
import { readBalances } from "./read-balances";
import { readTransaction, readTransactions } from "./read-transactions";

const access = (consent: AccountConsent, at = now): Access => ({
  consent,
  now: at,
  attended: true,
});
const resourceIdOf = (consent: AccountConsent) => {
  const [first] = consent.grantedAccounts;
  if (first === undefined) throw new Error("nothing granted");
  return first.resourceId;
};
const refused = (status: number, code: string) => ({ status, faults: [{ code }] });

async function opened(rights = { balances: true, transactions: true, ownerName: false }) {
  const house = inMemoryBank();
  const consent = await validConsent(house, { access: { model: "global", rights, named: [] } });
  return { ...house, consent, resourceId: resourceIdOf(consent) };
}

async function report(
  { ports, consent, resourceId }: Awaited<ReturnType<typeof opened>>,
  asked: { dateFrom?: string; dateTo?: string; bookingStatus?: "booked" | "information" | "all" },
  at = now,
) {
  return readTransactions(ports, access(consent, at), {
    resourceId,
    bookingStatus: asked.bookingStatus ?? "booked",
    ...(asked.dateFrom === undefined ? {} : { dateFrom: asked.dateFrom as IsoDate }),
    ...(asked.dateTo === undefined ? {} : { dateTo: asked.dateTo as IsoDate }),
  });
}

describe("accounts of a consent", () => {
  it("are those the PSU selected and no others", async () => {
    const { bank, ports, consent } = await opened();
    bank.accountsOf.set(ana, [current, multiEur]);
    const listed = await listAccounts(ports, access(consent), { withBalance: false });
    expect(listed.map(({ account }) => account.id)).toEqual(["current"]);
  });

  it("B1: an account not associated with the consent is not served", async () => {
    const { ports, consent } = await opened();
    const other = await validConsent({ ...inMemoryBank() });
    for (const resourceId of [resourceIdOf(other), current.id, current.iban, "x"]) {
      const read = readAccount(ports, access(consent), { resourceId, withBalance: false });
      await expect(read).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    }
  });

  it("an account that was closed since is not served", async () => {
    const { bank, ports, consent, resourceId } = await opened();
    bank.accountsOf.set(ana, [{ ...current, status: "deleted" }]);
    const read = readAccount(ports, access(consent), { resourceId, withBalance: false });
    await expect(read).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    expect(await listAccounts(ports, access(consent), { withBalance: true })).toEqual([]);
  });

  it("B2: withBalance shows balances only where they are granted", async () => {
    const withRight = await opened();
    const without = await opened({ balances: false, transactions: true, ownerName: false });
    const balances = async ({ ports, consent }: typeof withRight) =>
      (await listAccounts(ports, access(consent), { withBalance: true }))[0]?.balances;
    expect(await balances(withRight)).toHaveLength(1);
    expect(await balances(without)).toBeUndefined();
  });

  it.each(["balances", "transactions"] as const)("B2: %s need their own right", async (right) => {
    const rights = { balances: true, transactions: true, ownerName: true, [right]: false };
    const house = await opened(rights);
    const { ports, consent, resourceId } = house;
    const read =
      right === "balances"
        ? readBalances(ports, access(consent), resourceId)
        : report(house, { dateFrom: "2026-11-01" });
    await expect(read).rejects.toMatchObject(refused(401, "CONSENT_INVALID"));
  });

  it("a blocked account is listed, but neither its balances nor its transactions are shown", async () => {
    const house = await opened();
    const { bank, ports, consent, resourceId } = house;
    bank.accountsOf.set(ana, [{ ...current, status: "blocked" }]);
    const [listed] = await listAccounts(ports, access(consent), { withBalance: true });
    expect(listed).toMatchObject({ account: { status: "blocked" } });
    expect(listed?.balances).toBeUndefined();
    const blocked = refused(403, "SERVICE_BLOCKED");
    await expect(readBalances(ports, access(consent), resourceId)).rejects.toMatchObject(blocked);
    await expect(report(house, { dateFrom: "2026-11-01" })).rejects.toMatchObject(blocked);
  });
});

describe("the transaction history window", () => {
  it("has no limit during the first 10 minutes of the consent", async () => {
    await expect(
      report(await opened(), { dateFrom: "2020-01-01" }, later(9.99)),
    ).resolves.toBeDefined();
  });

  it("B6: is 90 days back from the request afterwards, the ninetieth included", async () => {
    const house = await opened();
    const ask = (dateFrom: string) => report(house, { dateFrom }, later(10));
    await expect(ask("2026-08-22")).resolves.toBeDefined();
    await expect(ask("2026-08-21")).rejects.toMatchObject(refused(400, "PERIOD_INVALID"));
  });

  it("holds for a single transaction as well", async () => {
    const house = await opened();
    const { bank, ports, consent, resourceId } = house;
    const id = crypto.randomUUID() as string as TransactionId;
    bank.transactions.push(entry(id, "2026-08-21"));
    const read = (at: Date) =>
      readTransaction(ports, access(consent, at), { resourceId, transactionId: id });
    await expect(read(later(9.99))).resolves.toBeDefined();
    await expect(read(later(10))).rejects.toMatchObject(refused(400, "PERIOD_INVALID"));
  });

  it("dates are ignored when bookingStatus is information", async () => {
    const house = await opened();
    await expect(
      report(house, { bookingStatus: "information", dateFrom: "2020-01-01" }, later(60)),
    ).resolves.toMatchObject({ entries: [] });
  });
});

describe("transactions", () => {
  it("an unknown transactionId is not served, whatever it looks like", async () => {
    const { ports, consent, resourceId } = await opened();
    for (const id of [crypto.randomUUID(), "1", "' or 1=1"]) {
      const asked = { resourceId, transactionId: id as string as TransactionId };
      const read = readTransaction(ports, access(consent), asked);
      await expect(read).rejects.toMatchObject(refused(404, "RESOURCE_UNKNOWN"));
    }
  });

  it("a dateTo in the future means today", async () => {
    const house = await opened();
    house.bank.transactions.push(entry("a", "2026-11-20"), entry("b", "2026-11-21"));
    const page = await report(house, { dateFrom: "2026-11-01", dateTo: "2027-01-01" });
    expect(page.entries.map(({ id }) => id)).toEqual(["a"]);
  });

  it("a cursor of another account's report is refused", async () => {
    const { ports, consent, resourceId } = await opened();
    const asked = { resourceId, bookingStatus: "booked", reportOf: "another" } as const;
    const read = readTransactions(ports, access(consent), asked);
    await expect(read).rejects.toMatchObject(refused(400, "FORMAT_ERROR"));
  });

  it("pages neither repeat nor skip an entry, and come newest first", async () => {
    const days = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 350 });
    await fc.assert(
      fc.asyncProperty(days, async (drawn) => {
        const house = await opened();
        const all = drawn.map((day, index) =>
          entry(String(index).padStart(4, "0"), `2026-11-${String(day).padStart(2, "0")}`),
        );
        house.bank.transactions.push(...all);
        const read = await readAll(house);
        expect(read).toHaveLength(all.length);
        expect(new Set(read).size).toBe(all.length);
      }),
      { numRuns: 20 },
    );
  });
});

describe("unattended accesses", () => {
  const unattended = (consent: AccountConsent): Access => ({ ...access(consent), attended: false });

  it("are counted per endpoint and account", async () => {
    const { bank, ports, consent, resourceId } = await opened();
    const id = crypto.randomUUID() as string as TransactionId;
    bank.transactions.push(entry(id, "2026-11-01"));
    const who = unattended(consent);
    await listAccounts(ports, who, { withBalance: true });
    await readAccount(ports, who, { resourceId, withBalance: false });
    await readBalances(ports, who, resourceId);
    await readTransactions(ports, who, { resourceId, bookingStatus: "all" });
    await readTransaction(ports, who, { resourceId, transactionId: id });
    expect(bank.admissions).toEqual([
      "accounts",
      `account:${resourceId}`,
      `balances:${resourceId}`,
      `transactions:${resourceId}`,
      `transaction:${resourceId}:${id}`,
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

  it("that the PSU caused are never counted", async () => {
    const { bank, ports, consent } = await opened();
    bank.budget = 0;
    await expect(
      listAccounts(ports, access(consent), { withBalance: false }),
    ).resolves.toHaveLength(1);
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
    const after = { day: "2026-11-01" as IsoDate, id: "x" as TransactionId };
    const asked = {
      resourceId,
      bookingStatus: "booked",
      dateFrom: "2026-11-01" as IsoDate,
    } as const;
    await readTransactions(ports, unattended(consent), { ...asked, after });
    expect(bank.admissions).toEqual([]);
  });
});

async function readAll({ ports, consent, resourceId }: Awaited<ReturnType<typeof opened>>) {
  const ids: string[] = [];
  const asked = { resourceId, bookingStatus: "booked", dateFrom: "2026-11-01" as IsoDate } as const;
  let page = await readTransactions(ports, access(consent), asked);
  let days = page.entries.map(({ day }) => day);
  ids.push(...page.entries.map(({ id }) => id));
  while (page.next !== undefined) {
    page = await readTransactions(ports, access(consent), { ...asked, after: page.next });
    ids.push(...page.entries.map(({ id }) => id));
    days = [...days, ...page.entries.map(({ day }) => day)];
  }
  expect(days).toEqual([...days].sort().reverse());
  return ids;
}
