import { describe, expect, it, vi } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import type { AccessRequest } from "./accounts";
import { currentAuthorisation, failAuthorisation } from "./authorisation";
import { accountsToChoose, offerAccounts } from "./consents";
import { settleRefusal } from "./opt-outs";
import { askAgain } from "./sca";
import { inMemoryBank } from "./testing/in-memory-bank";
import { openedConsent, startedConsent } from "./testing/journeys";
import {
  ana,
  current,
  EUR,
  later,
  multiEur,
  multiRon,
  now,
  readBack,
  speltOut,
  tpp,
  validConsent,
} from "./testing/samples";
import type { Iban, IsoDate } from "./values";

describe("wrong answers", () => {
  it("the same outcome for an unknown user ID and a wrong password", async () => {
    const unknown = await (await openedConsent()).login("nobody", "x");
    const wrong = await (await openedConsent()).login("ana", "x");
    expect(unknown).toEqual({ outcome: "wrong-credentials", attemptsLeft: 4 });
    expect(wrong).toEqual(unknown);
  });

  it("the fifth wrong password rejects the consent", async () => {
    const { login, status } = await openedConsent();
    for (const attemptsLeft of [4, 3, 2, 1]) {
      expect(await login("ana", "wrong")).toEqual({ outcome: "wrong-credentials", attemptsLeft });
    }
    expect(await login("ana", "wrong")).toEqual({ outcome: "ended" });
    expect(status()).toBe("rejected");
    expect(await login("ana", "ana-sandbox")).toEqual({ outcome: "ended" });
  });

  it("P5: wrong passwords and wrong codes are counted together", async () => {
    const { login, select, confirm, status } = await openedConsent();
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
    const { login } = await openedConsent();
    await login("ana", "ana-sandbox");
    expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "another-psu" });
  });

  it("P1: another PSU's fifth try ends the authorisation as any other would", async () => {
    const { login, status } = await openedConsent();
    await login("ana", "ana-sandbox");
    for (let tries = 0; tries < 4; tries += 1) {
      expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "another-psu" });
    }
    expect(await login("mihai", "mihai-sandbox")).toEqual({ outcome: "ended" });
    expect(status()).toBe("rejected");
  });

  it("P6: a code is good for 5 minutes", async () => {
    const { confirm } = await startedConsent();
    expect(await confirm("123456", later(5))).toEqual({ outcome: "code-expired" });
    expect(await confirm("123456", later(4.99))).toEqual({ outcome: "finalised" });
  });

  it("P6: a code is used once", async () => {
    const { confirm } = await startedConsent();
    await confirm("123456");
    expect(await confirm("123456")).toEqual({ outcome: "ended" });
  });

  it("P6: a code is for one authorisation: in another the very same digits are wrong", async () => {
    const at = inMemoryBank();
    const [one, other] = [await startedConsent(at), await startedConsent(at)];
    const { challenge } = await one.authorisation();
    const its = await other.authorisation();
    at.bank.authorisations.set(its.id, { ...its, ...(challenge && { challenge }) });
    expect(await other.confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    expect(await one.confirm("123456")).toEqual({ outcome: "finalised" });
  });

  it("P6: a new code replaces the one before, and there are only so many", async () => {
    const { ports, authorisation, confirm } = await startedConsent();
    const again = async () =>
      askAgain(ports, { authorisation: await authorisation(), wording: speltOut, by: "code", now });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await again()).toEqual({ outcome: "code-sent" });
    expect(await again()).toEqual({ outcome: "too-many-codes" });
    expect(await confirm("456789")).toEqual({ outcome: "finalised" });
  });

  it("P7: a code sent for one selection does not confirm another", async () => {
    const { select, confirm } = await startedConsent();
    await select(current.id, multiRon.id, multiEur.id);
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    expect(await confirm("234567")).toEqual({ outcome: "finalised" });
  });

  it("P7: a selection that was changed behind the code does not fit it, which costs no attempt", async () => {
    const { bank, authorisation, confirm } = await startedConsent();
    const before = await authorisation();
    bank.authorisations.set(before.id, { ...before, selection: [current.id, multiRon.id] });
    expect(await confirm("123456")).toEqual({ outcome: "changed" });
    expect(await authorisation()).toMatchObject({ scaStatus: "started", failedAttempts: 0 });
    expect(await confirm("123456")).toEqual({ outcome: "code-expired" });
  });

  it("P7: a code that the release before has sent fits what it was sent for, and nothing else", async () => {
    const { bank, authorisation, confirm } = await startedConsent();
    const { linkHash: _, ...before } = await authorisation();
    bank.authorisations.set(before.id, { ...before, selection: [current.id, multiRon.id] });
    expect(await confirm("123456")).toMatchObject({ outcome: "wrong-code" });
    bank.authorisations.set(before.id, before);
    expect(await confirm("123456")).toEqual({ outcome: "finalised" });
  });

  it("a text that could not be delivered says so", async () => {
    const { bank, login, select } = await openedConsent();
    bank.delivers = false;
    await login("ana", "ana-sandbox");
    expect(await select(current.id)).toEqual({ outcome: "not-delivered" });
  });
});

describe("undelivered codes", () => {
  /** A PSU whose first code the gateway has not taken. */
  async function undelivered() {
    const flow = await openedConsent();
    flow.bank.delivers = false;
    await flow.login("ana", "ana-sandbox");
    expect(await flow.select(current.id)).toEqual({ outcome: "not-delivered" });
    const again = async () =>
      askAgain(flow.ports, {
        authorisation: await flow.authorisation(),
        wording: speltOut,
        by: "code",
        now,
      });
    return { ...flow, again };
  }

  it("a code that the gateway has not taken confirms nothing, even if it comes after all", async () => {
    const { bank, confirm, authorisation } = await undelivered();
    expect(await authorisation()).toMatchObject({ scaStatus: "started", codesSent: 0 });
    expect(await confirm(bank.texts[0]?.code ?? "none")).toEqual({ outcome: "code-expired" });
    expect(await authorisation()).toMatchObject({ failedAttempts: 0 });
  });

  it("once the gateway is back, the PSU has as many codes as anybody", async () => {
    const { bank, again, confirm } = await undelivered();
    expect(await again()).toEqual({ outcome: "not-delivered" });
    bank.delivers = true;
    for (let sent = 0; sent < aspspProfile.sca.codesSentMax; sent += 1) {
      expect(await again()).toEqual({ outcome: "code-sent" });
    }
    expect(await again()).toEqual({ outcome: "too-many-codes" });
    expect(await confirm(bank.texts.at(-1)?.code ?? "none")).toEqual({ outcome: "finalised" });
  });

  it("P6: a gateway that takes texts and says no sends no flood: ten at most", async () => {
    const { bank, again } = await undelivered();
    for (let tries = 0; tries < 30; tries += 1) await again();
    const { codesSentMax, codesUndeliveredMax } = aspspProfile.sca;
    expect(bank.texts).toHaveLength(codesSentMax + codesUndeliveredMax);
    expect(bank.texts).toHaveLength(10);
    expect(await again()).toEqual({ outcome: "too-many-codes" });
  });
});

describe("the PSU selects accounts", () => {
  it("P9: an account that is not the PSU's own is refused", async () => {
    const { login, select, authorisation } = await openedConsent();
    await login("ana", "ana-sandbox");
    expect(await select(current.id, "someone-elses")).toEqual({ outcome: "not-offered" });
    expect(await authorisation()).toMatchObject({ scaStatus: "psuAuthenticated" });
  });

  it("at least one account is needed", async () => {
    const { login, select } = await openedConsent();
    await login("ana", "ana-sandbox");
    expect(await select()).toEqual({ outcome: "nothing-selected" });
  });

  it("nobody selects before logging in", async () => {
    const { select } = await openedConsent();
    expect(await select(current.id)).toEqual({ outcome: "ended" });
  });

  it("an account that is gone by the time of the code fails the authorisation", async () => {
    const { bank, confirm, status } = await startedConsent();
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
      const { ports, authorisation } = await openedConsent(access);
      const offered = await offerAccounts(ports, {
        authorisation: await authorisation(),
        psuId: ana,
      });
      return offered.filter((each) => each.preselected).map(({ account }) => account.id);
    };
    expect(await preselected(named({ iban: multiEur.iban }))).toEqual(["multi-ron", "multi-eur"]);
    expect(await preselected(named({ iban: multiEur.iban, currency: EUR }))).toEqual(["multi-eur"]);
  });

  it("without named ones those of the consent before are preselected, but not when the PSU has ended it", async () => {
    const first = await startedConsent();
    await first.confirm("123456");
    const { ports, bank } = first;
    const renewing = async (access?: AccessRequest) => {
      const { authorisation, consent } = await openedConsent(access, { bank, ports });
      const asked = { authorisation: await authorisation(), psuId: ana };
      const { accounts, asBefore } = await accountsToChoose(ports, consent, asked);
      const preselected = accounts.filter((each) => each.preselected);
      return [asBefore, preselected.map(({ account }) => account.id)];
    };
    expect(await renewing()).toEqual([true, [current.id, multiEur.id]]);
    const rights = { balances: true, transactions: false, ownerName: false };
    const notOwn = { reference: { iban: "RO66DRWB0000000000000077" as Iban }, rights };
    expect(await renewing({ model: "dedicated", rights, named: [notOwn] })).toEqual([false, []]);
    const { consent } = first;
    const revoked = {
      ...consent,
      ...bank.consents.get(consent.id),
      status: "revokedByPsu",
    } as const;
    bank.consents.set(consent.id, revoked);
    expect(await renewing()).toEqual([false, []]);
  });

  it("a named account gets the rights asked for it, an added one the union of all", async () => {
    const rights = { balances: true, transactions: false, ownerName: false };
    const union = { ...rights, transactions: true };
    const { ports, authorisation } = await openedConsent({
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

describe("the PSU authorises a consent", () => {
  it("login, selection and code make the consent valid with the selected accounts", async () => {
    const { bank, confirm, consent, authorisation } = await startedConsent();
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
    const { bank } = await startedConsent();
    expect(readBack(bank.texts[0]?.text)).toEqual({
      code: "123456",
      tppName: "PSDRO-NBR-1234567",
      purpose: { kind: "AIS", accounts: 2, until: "2027-02-01" },
    });
  });

  it("the end of the 15 minute window fails it and rejects the consent", async () => {
    const { authorisation, status } = await startedConsent();
    expect(await authorisation(later(14.99))).toMatchObject({ scaStatus: "started" });
    expect(await authorisation(later(15))).toMatchObject({ scaStatus: "failed" });
    expect(status()).toBe("rejected");
  });

  it("a consent whose last day is over by the time of the code is not authorised, and the earlier one stays valid", async () => {
    const at = inMemoryBank();
    const earlier = await validConsent(at);
    const { bank, ports, consent, authorisation, login, select, confirm, status } =
      await openedConsent(undefined, at);
    await login("ana", "ana-sandbox");
    await select(current.id);
    const { code = "none" } = bank.texts.at(-1) ?? {};
    bank.consents.set(consent.id, { ...consent, validUntil: "2026-11-19" as IsoDate });
    const finalised = vi.spyOn(ports.authorisations, "finaliseAccountConsent");
    expect(await confirm(code)).toEqual({ outcome: "ended" });
    expect((await authorisation()).failedBecause).toBe("last-day-over");
    expect([status(), bank.consents.get(earlier.id)?.status]).toEqual(["rejected", "valid"]);
    // The store is what ends the earlier one.
    expect(finalised).not.toHaveBeenCalled();
  });

  it("cancelling rejects the consent; afterwards nothing moves any more", async () => {
    const { ports, authorisation, status, confirm, select } = await startedConsent();
    await failAuthorisation(ports, { id: (await authorisation()).id, because: "cancelled", now });
    expect(status()).toBe("rejected");
    expect(await confirm("123456")).toEqual({ outcome: "ended" });
    expect(await select(current.id)).toEqual({ outcome: "ended" });
  });

  it("cancelling after the yes changes nothing", async () => {
    const { ports, authorisation, status, confirm } = await startedConsent();
    await confirm("123456");
    await failAuthorisation(ports, { id: (await authorisation()).id, because: "cancelled", now });
    expect(status()).toBe("valid");
  });

  it("O1: the authorisation of another TPP's consent is not found", async () => {
    const { ports, consent } = await openedConsent();
    const asked = {
      kind: "AIS",
      resourceId: consent.id,
      tppId: "PSDDE-BAFIN-1" as never,
      now,
    } as const;
    expect(await currentAuthorisation(ports, asked)).toBeUndefined();
  });
});

describe("a blocked TPP", () => {
  const order = { tppId: tpp.id, blockedAt: now };

  it("C6: an authorisation under way fails when its TPP is blocked, and its resource is rejected", async () => {
    const { bank, ports, authorisation, status } = await startedConsent();
    bank.blocked.set(tpp.id, order);
    const settled = await settleRefusal(ports, await authorisation(), now);
    expect(settled).toMatchObject({ scaStatus: "failed", failedBecause: "tpp-blocked" });
    expect(await authorisation()).toEqual(settled);
    expect(status()).toBe("rejected");
  });

  it("C6: one of a TPP that is not blocked, or not any more, stays as it is", async () => {
    const { bank, ports, authorisation } = await openedConsent();
    const before = await authorisation();
    expect(await settleRefusal(ports, before, now)).toBe(before);
    bank.blocked.set(tpp.id, { ...order, blockedAt: later(-5), until: now });
    expect(await settleRefusal(ports, before, now)).toBe(before);
  });

  it("C6: what its PSU has confirmed stays confirmed, also a moment before the block", async () => {
    const { bank, ports, authorisation, confirm, status } = await startedConsent();
    const before = await authorisation();
    await confirm("123456");
    bank.blocked.set(tpp.id, order);
    expect(await settleRefusal(ports, before, now)).toMatchObject({ scaStatus: "finalised" });
    expect(status()).toBe("valid");
  });

  it("C6: nobody is looked up for what is decided", async () => {
    const { ports, authorisation, confirm } = await startedConsent();
    await confirm("123456");
    const find = () => Promise.reject(new Error("looked up"));
    const decided = await authorisation();
    const world = { ...ports, stopList: { ...ports.stopList, find } };
    expect(await settleRefusal(world, decided, now)).toBe(decided);
  });
});
