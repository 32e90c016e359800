import { describe, expect, it } from "vitest";
import { access, opened, refused, report, resourceIdOf } from "../testing/access";
import { inMemoryBank } from "../testing/in-memory-bank";
import { ana, current, multiEur, validConsent } from "../testing/samples";
import { listAccounts, readAccount } from "./read-accounts";
import { readBalances } from "./read-balances";

describe("accounts of a consent", () => {
  it("are those the PSU selected and no others", async () => {
    const { bank, ports, consent } = await opened();
    bank.accountsOf.set(ana, [current, multiEur]);
    const { content } = await listAccounts(ports, access(consent), { withBalance: false });
    expect(content.map(({ account }) => account.id)).toEqual(["current"]);
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
    const { content } = await listAccounts(ports, access(consent), { withBalance: true });
    expect(content).toEqual([]);
  });

  it("are asked of the core bank in one call, with their balances or without", async () => {
    const { ports, consent, resourceId } = await opened();
    const calls: string[] = [];
    const coreBank = new Proxy(ports.coreBank, {
      get: (target, method: keyof typeof ports.coreBank) => {
        calls.push(method);
        return target[method];
      },
    });
    const house = { ...ports, coreBank };
    const own = access(consent);
    for (const withBalance of [false, true]) {
      await listAccounts(house, own, { withBalance });
      await readAccount(house, own, { resourceId, withBalance });
    }
    await readBalances(house, own, resourceId);
    await report(
      { ...(await opened()), ports: house, consent, resourceId },
      { dateFrom: "2026-11-01" },
    );
    expect(calls).toEqual([
      ...["accounts", "accounts", "balances", "balances", "balances", "transactions"],
    ]);
  });

  it("B2: withBalance shows balances only where they are granted", async () => {
    const withRight = await opened();
    const without = await opened({ balances: false, transactions: true, ownerName: false });
    const balances = async ({ ports, consent }: typeof withRight) =>
      (await listAccounts(ports, access(consent), { withBalance: true })).content[0]?.balances;
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
    const { content } = await listAccounts(ports, access(consent), { withBalance: true });
    const [listed] = content;
    expect(listed).toMatchObject({ account: { status: "blocked" } });
    expect(listed?.balances).toBeUndefined();
    const blocked = refused(403, "SERVICE_BLOCKED");
    await expect(readBalances(ports, access(consent), resourceId)).rejects.toMatchObject(blocked);
    await expect(report(house, { dateFrom: "2026-11-01" })).rejects.toMatchObject(blocked);
  });
});
