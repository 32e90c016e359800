import { describe, expect, it } from "vitest";
import type { AccessRequest } from "../consent/access-request";
import type { Iban } from "../iban";
import { inMemoryBank } from "../testing/in-memory-bank";
import {
  ana,
  current,
  EUR,
  later,
  multiEur,
  multiRon,
  now,
  receivedConsent,
  tpp,
} from "../testing/samples";
import { cancelAuthorisation } from "./cancel-authorisation";
import { completeAuthorisation } from "./complete-authorisation";
import { currentAuthorisation } from "./current-authorisation";
import { identifyPsu } from "./identify-psu";
import { offerAccounts } from "./offer-accounts";
import { selectAccounts, sendNewCode } from "./select-accounts";

async function opened(access?: AccessRequest) {
  const { bank, ports } = inMemoryBank();
  bank.accountsOf.set(ana, [current, multiRon, multiEur]);
  const consent = await receivedConsent(ports, access === undefined ? {} : { access });
  const asked = { kind: "AIS", resourceId: consent.id, tppId: tpp.id } as const;
  const authorisation = async (at = now) => {
    const found = await currentAuthorisation(ports, { ...asked, now: at });
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const login = async (userId: string, password: string) =>
    identifyPsu(ports, { authorisation: await authorisation(), userId, password, now });
  const select = async (...selected: string[]) =>
    selectAccounts(ports, { authorisation: await authorisation(), selected, now });
  const confirm = async (code: string, at = now) =>
    completeAuthorisation(ports, { authorisation: await authorisation(), code, now: at });
  const status = () => bank.consents.get(consent.id)?.status;
  return { bank, ports, consent, authorisation, login, select, confirm, status };
}

async function started() {
  const flow = await opened();
  await flow.login("ana", "ana-sandbox");
  await flow.select(current.id, multiEur.id);
  return flow;
}

describe("the PSU authorises a consent", () => {
  it("login, selection and code make the consent valid with the selected accounts", async () => {
    const { bank, confirm, consent, authorisation } = await started();
    expect(await confirm("123456")).toEqual({ outcome: "finalised" });
    expect(await authorisation()).toMatchObject({ scaStatus: "finalised", failedAttempts: 0 });
    const made = bank.consents.get(consent.id);
    expect(made).toMatchObject({ status: "valid", psuId: "ana", authorisedAt: now });
    expect(made?.grantedAccounts.map(({ accountId }) => accountId)).toEqual([
      "current",
      "multi-eur",
    ]);
    expect(new Set(made?.grantedAccounts.map(({ resourceId }) => resourceId)).size).toBe(2);
  });

  it("the text says who may read how many accounts until when, and the code", async () => {
    const { bank } = await started();
    expect(bank.texts[0]?.text).toContain("123456");
    expect(bank.texts[0]?.text).toContain("read 2 accounts until 2027-02-01");
  });

  it("the end of the 15 minute window fails it and rejects the consent", async () => {
    const { authorisation, status } = await started();
    expect(await authorisation(later(14.99))).toMatchObject({ scaStatus: "started" });
    expect(await authorisation(later(15))).toMatchObject({ scaStatus: "failed" });
    expect(status()).toBe("rejected");
  });

  it("cancelling rejects the consent; afterwards nothing moves any more", async () => {
    const { ports, authorisation, status, confirm, select } = await started();
    await cancelAuthorisation(ports, { authorisation: await authorisation(), now });
    expect(status()).toBe("rejected");
    expect(await confirm("123456")).toEqual({ outcome: "ended" });
    expect(await select(current.id)).toEqual({ outcome: "ended" });
  });

  it("cancelling after the yes changes nothing", async () => {
    const { ports, authorisation, status, confirm } = await started();
    await confirm("123456");
    await cancelAuthorisation(ports, { authorisation: await authorisation(), now });
    expect(status()).toBe("valid");
  });

  it("O1: the authorisation of another TPP's consent is not found", async () => {
    const { ports, consent } = await opened();
    const asked = {
      kind: "AIS",
      resourceId: consent.id,
      tppId: "PSDDE-BAFIN-1" as never,
      now,
    } as const;
    expect(await currentAuthorisation(ports, asked)).toBeUndefined();
  });
});

describe("wrong answers", () => {
  it("the same outcome for an unknown user ID and a wrong password", async () => {
    const unknown = await (await opened()).login("nobody", "x");
    const wrong = await (await opened()).login("ana", "x");
    expect(unknown).toEqual({ outcome: "wrong-credentials", attemptsLeft: 4 });
    expect(wrong).toEqual(unknown);
  });

  it("the fifth wrong password rejects the consent", async () => {
    const { login, status } = await opened();
    for (const attemptsLeft of [4, 3, 2, 1]) {
      expect(await login("ana", "wrong")).toEqual({ outcome: "wrong-credentials", attemptsLeft });
    }
    expect(await login("ana", "wrong")).toEqual({ outcome: "ended" });
    expect(status()).toBe("rejected");
    expect(await login("ana", "ana-sandbox")).toEqual({ outcome: "ended" });
  });

  it("P5: wrong passwords and wrong codes are counted together", async () => {
    const { login, select, confirm, status } = await opened();
    await login("ana", "wrong");
    await login("ana", "wrong");
    await login("ana", "ana-sandbox");
    await select(current.id);
    expect(await confirm("000000")).toEqual({ outcome: "wrong-code", attemptsLeft: 2 });
    expect(await confirm("000000")).toEqual({ outcome: "wrong-code", attemptsLeft: 1 });
    expect(await confirm("000000")).toEqual({ outcome: "ended" });
    expect(status()).toBe("rejected");
  });

  it("P1: another PSU cannot go on where one has logged in", async () => {
    const { login } = await opened();
    await login("ana", "ana-sandbox");
    expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "another-psu" });
  });

  it("P6: a code is good for 5 minutes", async () => {
    const { confirm } = await started();
    expect(await confirm("123456", later(5))).toEqual({ outcome: "code-expired" });
    expect(await confirm("123456", later(4.99))).toEqual({ outcome: "finalised" });
  });

  it("P6: a code is used once", async () => {
    const { confirm } = await started();
    await confirm("123456");
    expect(await confirm("123456")).toEqual({ outcome: "ended" });
  });

  it("P6: a new code replaces the one before, and there are only so many", async () => {
    const { ports, authorisation, confirm } = await started();
    const again = async () => sendNewCode(ports, { authorisation: await authorisation(), now });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await again()).toEqual({ outcome: "too-many-codes" });
    expect(await confirm("456789")).toEqual({ outcome: "finalised" });
  });

  it("P7: a code sent for one selection does not confirm another", async () => {
    const { select, confirm } = await started();
    await select(current.id, multiRon.id, multiEur.id);
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    expect(await confirm("234567")).toEqual({ outcome: "finalised" });
  });

  it("P7: a selection that was changed behind the code does not fit it", async () => {
    const { bank, authorisation, confirm } = await started();
    const before = await authorisation();
    bank.authorisations.set(before.id, { ...before, selection: [current.id, multiRon.id] });
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
  });

  it("a text that could not be delivered says so", async () => {
    const { bank, login, select } = await opened();
    bank.delivers = false;
    await login("ana", "ana-sandbox");
    expect(await select(current.id)).toEqual({ outcome: "not-delivered" });
  });
});

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
