import { describe, expect, it } from "vitest";
import type { Iban } from "../iban";
import type { ConsentId, TppId } from "../identifiers";
import { challengedFundsConsent, receivedFundsConsent, validFundsConsent } from "../testing/funds";
import { inMemoryBank } from "../testing/in-memory-bank";
import {
  ana,
  current,
  EUR,
  later,
  multiEur,
  multiRon,
  newRequestId,
  now,
  tpp,
} from "../testing/samples";
import { readBack } from "../testing/spelt-out";
import {
  deleteFundsConsent,
  readFundsConsent,
  readFundsConsentAuthorisation,
} from "./read-funds-consent";

const of = (id: ConsentId, at = now) => ({ id, tppId: tpp.id, now: at });
const savings = "RO57DRWB0000000000000099" as Iban;

describe("a confirmation of funds consent", () => {
  it("is received when it is created, with its authorisation", async () => {
    const { ports } = inMemoryBank();
    const { id, authorisationId, status } = await receivedFundsConsent({ ports });
    expect(status).toBe("received");
    const authorisation = await readFundsConsentAuthorisation(ports, {
      ...of(id),
      authorisationId,
    });
    expect(authorisation).toMatchObject({ kind: "PIIS", scaStatus: "received" });
  });

  it("S9: is created once for an X-Request-ID; the same request again yields it", async () => {
    const { bank, ports } = inMemoryBank();
    const requestId = newRequestId();
    const first = await receivedFundsConsent({ ports }, {}, requestId);
    expect(await receivedFundsConsent({ ports }, {}, requestId)).toEqual(first);
    expect(bank.fundsConsents.size).toBe(1);
  });

  it("is valid for the very account it names, from the PSU's SCA on", async () => {
    const house = inMemoryBank();
    expect(await validFundsConsent(house)).toMatchObject({
      status: "valid",
      psuId: ana,
      accountId: current.id,
      authorisedAt: now,
    });
    const purpose = { kind: "PIIS", iban: current.iban };
    expect(readBack(house.bank.texts.at(-1)?.text)).toMatchObject({ purpose });
  });

  it("is for the sub-account of its currency, without one for the default sub-account", async () => {
    const { iban } = multiEur;
    const house = inMemoryBank();
    const euro = await validFundsConsent(house, { account: { iban, currency: EUR } });
    expect(euro.accountId).toBe(multiEur.id);
    const unnamed = await validFundsConsent(house, { account: { iban } });
    expect(unnamed.accountId).toBe(multiRon.id);
  });

  it.each([
    ["that is not the PSU's own", { iban: savings }],
    ["in a currency the PSU has no sub-account of", { iban: current.iban, currency: EUR }],
  ])("of an account %s is rejected, whoever signs in", async (_which, account) => {
    const house = inMemoryBank();
    const { consent, outcome, authorisation } = await challengedFundsConsent(house, { account });
    expect(outcome).toBe("not-own-account");
    expect(await readFundsConsent(house.ports, of(consent.id))).toMatchObject({
      status: "rejected",
    });
    expect(await authorisation()).toMatchObject({ failedBecause: "not-own-account" });
    expect(house.bank.texts).toEqual([]);
  });

  it("is rejected when its account is gone by the time the code comes", async () => {
    const house = inMemoryBank();
    const { consent, confirm } = await challengedFundsConsent(house);
    house.bank.accountsOf.set(ana, []);
    expect(await confirm()).toEqual({ outcome: "ended" });
    const { status } = await readFundsConsent(house.ports, of(consent.id));
    expect(status).toBe("rejected");
  });

  it("is rejected when no SCA took place within 15 minutes", async () => {
    const { ports } = inMemoryBank();
    const { id } = await receivedFundsConsent({ ports });
    const statusAt = async (minutes: number) =>
      (await readFundsConsent(ports, of(id, later(minutes)))).status;
    expect(await statusAt(14.99)).toBe("received");
    expect(await statusAt(15)).toBe("rejected");
  });

  it("lives beside others of the same TPP, PSU and account: one for each card", async () => {
    const house = inMemoryBank();
    const one = await validFundsConsent(house, { cardNumber: "1111" });
    await validFundsConsent(house, { cardNumber: "2222" });
    const { status } = await readFundsConsent(house.ports, of(one.id));
    expect(status).toBe("valid");
  });

  it("can be deleted by its TPP while it is received or valid; its authorisation is over then", async () => {
    const house = inMemoryBank();
    const received = await receivedFundsConsent(house);
    const valid = await validFundsConsent(house);
    for (const { id } of [received, valid]) {
      await deleteFundsConsent(house.ports, of(id));
      const { status } = await readFundsConsent(house.ports, of(id));
      expect(status).toBe("terminatedByTpp");
    }
  });

  it("is deleted though the PSU's yes comes in between", async () => {
    const house = inMemoryBank();
    const { consent, confirm } = await challengedFundsConsent(house);
    const { end } = house.ports.fundsConsents;
    const yesComesFirst = async (...transition: Parameters<typeof end>) => {
      await confirm();
      return end(...transition);
    };
    const fundsConsents = { ...house.ports.fundsConsents, end: yesComesFirst };
    await deleteFundsConsent({ ...house.ports, fundsConsents }, of(consent.id));
    expect(house.bank.fundsConsents.get(consent.id)?.status).toBe("terminatedByTpp");
  });

  it("that has ended is deleted without any change", async () => {
    const house = inMemoryBank();
    const { id } = await validFundsConsent(house);
    await house.ports.fundsConsents.end({
      consentId: id,
      from: "valid",
      to: "revokedByPsu",
      at: now,
    });
    await deleteFundsConsent(house.ports, of(id));
    const { status } = await readFundsConsent(house.ports, of(id));
    expect(status).toBe("revokedByPsu");
  });

  it("O1: of another TPP is as unknown as one that does not exist", async () => {
    const { ports } = inMemoryBank();
    const { id } = await receivedFundsConsent({ ports });
    const foreign = { ...of(id), tppId: "PSDDE-BAFIN-1" as TppId };
    const unknown = of(crypto.randomUUID() as string as ConsentId);
    for (const use of [readFundsConsent, deleteFundsConsent]) {
      const [one, other] = await Promise.allSettled([use(ports, foreign), use(ports, unknown)]);
      expect(one).toMatchObject({ reason: { status: 403, faults: [{ code: "CONSENT_UNKNOWN" }] } });
      expect(one).toEqual(other);
    }
  });

  it("knows its own authorisation and no other", async () => {
    const { ports } = inMemoryBank();
    const [one, other] = [
      await receivedFundsConsent({ ports }),
      await receivedFundsConsent({ ports }),
    ];
    const asked = { ...of(one.id), authorisationId: other.authorisationId };
    await expect(readFundsConsentAuthorisation(ports, asked)).rejects.toMatchObject({
      status: 404,
      faults: [{ code: "RESOURCE_UNKNOWN" }],
    });
  });
});
