import { describe, expect, it } from "vitest";
import type { AccountConsent } from "../consent/account-consent";
import type { TransactionId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { access, opened, refused } from "../testing/access";
import { entry } from "../testing/samples";
import type { Access } from "./granted-account";
import { listAccounts, readAccount } from "./read-accounts";
import { readBalances } from "./read-balances";
import { readTransaction, readTransactions } from "./read-transactions";

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
