import { describe, expect, it } from "vitest";
import type { AccessRequest } from "../consent/access-request";
import type { Iban } from "../iban";
import { opened, started } from "../testing/flow";
import { ana, current, EUR, multiEur } from "../testing/samples";
import { offerAccounts } from "./offer-accounts";

describe("the PSU selects accounts", () => {
  it("P9: an account that is not the PSU's own is refused", async () => {
    const { login, select, authorisation } = await opened();
    await login("ana", "ana-sandbox");
    expect(await select(current.id, "someone-elses")).toEqual({ outcome: "not-offered" });
    expect(await authorisation()).toMatchObject({ scaStatus: "psuAuthenticated" });
  });

  it("at least one account is needed", async () => {
    const { login, select } = await opened();
    await login("ana", "ana-sandbox");
    expect(await select()).toEqual({ outcome: "nothing-selected" });
  });

  it("nobody selects before logging in", async () => {
    const { select } = await opened();
    expect(await select(current.id)).toEqual({ outcome: "ended" });
  });

  it("an account that is gone by the time of the code fails the authorisation", async () => {
    const { bank, confirm, status } = await started();
    bank.accountsOf.set(ana, [current]);
    expect(await confirm("123456")).toEqual({ outcome: "ended" });
    expect(status()).toBe("rejected");
  });

  it("named accounts are preselected, a reference without currency means all sub-accounts", async () => {
    const named = (reference: { iban: Iban; currency?: typeof EUR }) => ({
      model: "dedicated" as const,
      rights: { balances: true, transactions: true, ownerName: false },
      named: [{ reference, rights: { balances: true, transactions: false, ownerName: false } }],
    });
    const preselected = async (access: AccessRequest) => {
      const { ports, authorisation } = await opened(access);
      const offered = await offerAccounts(ports, {
        authorisation: await authorisation(),
        psuId: ana,
      });
      return offered.filter((each) => each.preselected).map(({ account }) => account.id);
    };
    expect(await preselected(named({ iban: multiEur.iban }))).toEqual(["multi-ron", "multi-eur"]);
    expect(await preselected(named({ iban: multiEur.iban, currency: EUR }))).toEqual(["multi-eur"]);
  });

  it("a named account gets the rights asked for it, an added one the union of all", async () => {
    const rights = { balances: true, transactions: false, ownerName: false };
    const union = { ...rights, transactions: true };
    const { ports, authorisation } = await opened({
      model: "dedicated",
      rights: union,
      named: [{ reference: { iban: current.iban }, rights }],
    });
    const offered = await offerAccounts(ports, {
      authorisation: await authorisation(),
      psuId: ana,
    });
    expect(offered.map((each) => each.rights)).toEqual([rights, union, union]);
  });
});
