import { describe, expect, it, vi } from "vitest";
import { aspspProfile } from "@/lib/testing-profile";
import { sourceFiles } from "@/tools/source-files";
import {
  consentIsFinal,
  consentMayBecome,
  consentTransitions,
  revokeAccountConsent,
} from "./consents";
import {
  currentFundsConsent,
  deleteFundsConsent,
  endOfFundsConsent,
  type FundsConsentStatus,
  fundsConsentTransitions,
  hasExpired,
  readFundsConsent,
  readFundsConsentAuthorisation,
  revokeFundsConsent,
} from "./funds";
import { customersBlocked, inMemoryBank } from "./testing/in-memory-bank";
import {
  challengedFundsConsent,
  euros,
  holding,
  lei,
  openedForFunds as opened,
  receivedFundsConsent,
  refusedWith as refused,
  validFundsConsent,
} from "./testing/journeys";
import {
  ana,
  current,
  EUR,
  later,
  multiEur,
  multiRon,
  newRequestId,
  now,
  RON,
  readBack,
  receivedConsent,
  tpp,
  validConsent,
} from "./testing/samples";
import type { ConsentId, Currency, Iban, IsoDate, PsuId, TppId } from "./values";

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
    const world = inMemoryBank();
    expect(await validFundsConsent(world)).toMatchObject({
      status: "valid",
      psuId: ana,
      accountId: current.id,
      authorisedAt: now,
    });
    const purpose = { kind: "PIIS", iban: current.iban };
    expect(readBack(world.bank.texts.at(-1)?.text)).toMatchObject({ purpose });
  });

  it("is for the sub-account of its currency, without one for the default sub-account", async () => {
    const { iban } = multiEur;
    const world = inMemoryBank();
    const euro = await validFundsConsent(world, { account: { iban, currency: EUR } });
    expect(euro.accountId).toBe(multiEur.id);
    const unnamed = await validFundsConsent(world, { account: { iban } });
    expect(unnamed.accountId).toBe(multiRon.id);
  });

  it.each([
    ["that is not the PSU's own", { iban: savings }],
    ["in a currency the PSU has no sub-account of", { iban: current.iban, currency: EUR }],
  ])("of an account %s is rejected, for every PSU who signs in", async (_which, account) => {
    const world = inMemoryBank();
    const { consent, outcome, authorisation } = await challengedFundsConsent(world, { account });
    expect(outcome).toBe("not-own-account");
    expect(await readFundsConsent(world.ports, of(consent.id))).toMatchObject({
      status: "rejected",
    });
    expect(await authorisation()).toMatchObject({ failedBecause: "not-own-account" });
    expect(world.bank.texts).toEqual([]);
  });

  it("is rejected when its account is gone by the time the code comes", async () => {
    const world = inMemoryBank();
    const { consent, confirm } = await challengedFundsConsent(world);
    world.bank.accountsOf.set(ana, []);
    expect(await confirm()).toEqual({ outcome: "ended" });
    const { status } = await readFundsConsent(world.ports, of(consent.id));
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
    const world = inMemoryBank();
    const one = await validFundsConsent(world, { cardNumber: "1111" });
    await validFundsConsent(world, { cardNumber: "2222" });
    const { status } = await readFundsConsent(world.ports, of(one.id));
    expect(status).toBe("valid");
  });

  it("can be deleted by its TPP while it is received or valid; its authorisation is over then", async () => {
    const world = inMemoryBank();
    const received = await receivedFundsConsent(world);
    const valid = await validFundsConsent(world);
    for (const { id } of [received, valid]) {
      await deleteFundsConsent(world.ports, { ...of(id), requestId: newRequestId() });
      const { status } = await readFundsConsent(world.ports, of(id));
      expect(status).toBe("terminatedByTpp");
    }
  });

  it("is deleted though the PSU's yes comes in between", async () => {
    const world = inMemoryBank();
    const { consent, confirm } = await challengedFundsConsent(world);
    const { end } = world.ports.fundsConsents;
    const yesComesFirst = async (...transition: Parameters<typeof end>) => {
      await confirm();
      return end(...transition);
    };
    const fundsConsents = { ...world.ports.fundsConsents, end: yesComesFirst };
    await deleteFundsConsent(
      { ...world.ports, fundsConsents },
      { ...of(consent.id), requestId: newRequestId() },
    );
    expect(world.bank.fundsConsents.get(consent.id)?.status).toBe("terminatedByTpp");
  });

  it("that has ended is deleted without any change", async () => {
    const world = inMemoryBank();
    const { id } = await validFundsConsent(world);
    await world.ports.fundsConsents.end({
      consentId: id,
      from: "valid",
      to: "revokedByPsu",
      at: now,
    });
    await deleteFundsConsent(world.ports, { ...of(id), requestId: newRequestId() });
    const { status } = await readFundsConsent(world.ports, of(id));
    expect(status).toBe("revokedByPsu");
  });

  it("O1: of another TPP is as unknown as one that does not exist", async () => {
    const { ports } = inMemoryBank();
    const { id } = await receivedFundsConsent({ ports });
    const requestId = newRequestId();
    const foreign = { ...of(id), tppId: "PSDDE-BAFIN-1" as TppId, requestId };
    const unknown = { ...of(crypto.randomUUID() as string as ConsentId), requestId };
    for (const use of [readFundsConsent, deleteFundsConsent]) {
      const [one, other] = await Promise.allSettled([use(ports, foreign), use(ports, unknown)]);
      expect(one).toMatchObject({
        reason: { status: 403, faults: [{ code: "CONSENT_UNKNOWN" }] },
      });
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

describe("the end of a funds consent", () => {
  it.each([
    // Winter, summer, and the days on which the bank's clocks are changed: 25 hours and 23.
    ["2026-12-31", "2026-12-31T22:00:00Z"],
    ["2027-07-31", "2027-07-31T21:00:00Z"],
    ["2027-10-31", "2027-10-31T22:00:00Z"],
    ["2027-03-28", "2027-03-28T21:00:00Z"],
  ])("expires with the last local day of its card, %s", async (lastDay, end) => {
    const world = inMemoryBank();
    const consent = await validFundsConsent(world, { cardExpiryDate: lastDay as IsoDate });
    const at = (milliseconds: number) => new Date(Date.parse(end) + milliseconds);
    const before = await currentFundsConsent(world.ports, consent, at(-1));
    expect(before.status).toBe("valid");
    expect(await currentFundsConsent(world.ports, consent, at(0))).toMatchObject({
      status: "expired",
    });
    expect(world.bank.fundsConsents.get(consent.id)?.status).toBe("expired");
    expect(endOfFundsConsent(consent, aspspProfile)).toEqual(new Date(end));
  });

  it.each([undefined, "9999-12-31"])("whose card has %s as its last day has no end", (lastDay) => {
    const card = lastDay === undefined ? {} : { cardExpiryDate: lastDay as IsoDate };
    expect(endOfFundsConsent(card, aspspProfile)).toBeUndefined();
    expect(hasExpired(card, new Date("9999-12-31T12:00:00Z"), aspspProfile)).toBe(false);
  });

  it("without a card's last day has no end: the 180 days are account information's", async () => {
    const world = inMemoryBank();
    const consent = await validFundsConsent(world);
    const tenYears = later(10 * 366 * 1_440);
    const { status } = await currentFundsConsent(world.ports, consent, tenYears);
    expect(status).toBe("valid");
  });
});

describe("the answer", () => {
  it.each([
    [99_99n, true],
    [100_00n, true],
    [100_01n, false],
  ])("of %s minor units with 10000 available is %s", async (minorUnits, answer) => {
    const { ask } = await opened();
    expect(await ask({ amount: lei(minorUnits) })).toBe(answer);
  });

  it("is no where less than nothing is available", async () => {
    const { ask } = await opened({}, holding(lei(-1n)));
    expect(await ask({ amount: lei(1n) })).toBe(false);
  });

  it.each(["blocked", "deleted"] as const)("of a %s account is no", async (status) => {
    const { ask } = await opened({}, { ...holding(lei(100_00n)), status });
    expect(await ask()).toBe(false);
  });

  it("of a PSU blocked in all channels is no, as of a blocked account, and uses up a check", async () => {
    const { ports, ask } = await opened();
    Object.assign(ports.coreBank, customersBlocked);
    const take = vi.spyOn(ports.fundsCheck, "take");
    expect(await ask()).toBe(false);
    expect(take).toHaveBeenCalledWith(expect.objectContaining({ answered: true }));
    const other = ask({ account: { iban: savings } });
    await expect(other).rejects.toMatchObject(refused(400, "NO_PIIS_ACTIVATION"));
  });

  it("of an account that is gone is no", async () => {
    const { bank, ask } = await opened();
    bank.holding = undefined;
    expect(await ask()).toBe(false);
    expect(await ask({ account: { iban: current.iban, currency: EUR } })).toBe(false);
  });

  it.each([
    // 1 EUR is 5.09 RON.
    [euros(19_64n), true],
    [euros(19_65n), false],
  ])(
    "in another currency than the account's is by the bank's indicative rate: %o, %s",
    async (amount, answer) => {
      const { ask } = await opened();
      expect(await ask({ amount })).toBe(answer);
    },
  );

  it("in a currency without a rate is refused: FORMAT_ERROR; the account's own needs none", async () => {
    const yen = (minorUnits: bigint) => ({ currency: "JPY" as Currency, minorUnits });
    const { ask, bank } = await opened();
    const fault = refused(400, "FORMAT_ERROR", "instructedAmount.currency");
    await expect(ask({ amount: yen(1n) })).rejects.toMatchObject(fault);
    bank.holding = holding(yen(100n));
    expect(await ask({ amount: yen(100n) })).toBe(true);
    await expect(ask({ amount: lei(1n) })).rejects.toMatchObject(fault);
  });
});

describe("the consent", () => {
  it("that is ended while the core bank is asked answers nothing, and no check is counted", async () => {
    const { ask, bank, consent } = await opened();
    Object.defineProperty(bank, "holding", {
      get: () => {
        bank.fundsConsents.set(consent.id, { ...consent, status: "revokedByPsu" });
        return holding(lei(100_00n));
      },
    });
    await expect(ask()).rejects.toMatchObject(refused(401, "CONSENT_INVALID"));
  });

  it.each([
    ["received", "CONSENT_INVALID"],
    ["partiallyAuthorised", "CONSENT_INVALID"],
    ["rejected", "CONSENT_INVALID"],
    ["revokedByPsu", "CONSENT_INVALID"],
    ["terminatedByTpp", "CONSENT_INVALID"],
    ["expired", "CONSENT_EXPIRED"],
  ] as const)("that is %s answers nothing: %s", async (status, code) => {
    const { ask, bank, consent } = await opened();
    bank.fundsConsents.set(consent.id, { ...consent, status });
    await expect(ask()).rejects.toMatchObject(refused(401, code));
  });

  it("whose card has expired is ended, and answers nothing: CONSENT_EXPIRED", async () => {
    const { ask, bank, consent } = await opened({ cardExpiryDate: "2026-11-30" as IsoDate });
    expect(await ask({}, new Date("2026-11-30T21:59:59Z"))).toBe(true);
    await expect(ask({}, new Date("2026-11-30T22:00:00Z"))).rejects.toMatchObject(
      refused(401, "CONSENT_EXPIRED"),
    );
    expect(bank.fundsConsents.get(consent.id)?.status).toBe("expired");
  });

  it("that was not authorised in time is rejected: CONSENT_INVALID", async () => {
    const { ports, bank, ...world } = await opened();
    const received = await receivedFundsConsent({ ports });
    const { id } = received;
    bank.fundsConsents.set(world.consent.id, received);
    await expect(world.ask({}, later(15))).rejects.toMatchObject(refused(401, "CONSENT_INVALID"));
    expect(bank.fundsConsents.get(id)?.status).toBe("rejected");
  });
});

describe("the account of the question", () => {
  const { iban } = current;
  const other = "RO91DRWB0000000000000002" as Iban;
  const mismatch = refused(400, "NO_PIIS_ACTIVATION", "account");

  it.each([
    ["another IBAN", { iban }, { iban: other }],
    ["another currency than consented", { iban, currency: RON }, { iban, currency: EUR }],
    ["another currency than the default sub-account's", { iban }, { iban, currency: EUR }],
  ])("with %s: NO_PIIS_ACTIVATION", async (_what, consented, account) => {
    const { ask } = await opened({ account: consented });
    await expect(ask({ account })).rejects.toMatchObject(mismatch);
  });

  it.each([
    [{ iban }, { iban }],
    [{ iban }, { iban, currency: RON }],
    [{ iban, currency: RON }, { iban }],
    [
      { iban, currency: RON },
      { iban, currency: RON },
    ],
  ])("of a consent for %o may be %o", async (consented, account) => {
    const { ask } = await opened({ account: consented });
    expect(await ask({ account })).toBe(true);
  });

  it("of a consent for a sub-account is that sub-account", async () => {
    const account = { iban: multiEur.iban, currency: EUR };
    const { ask } = await opened({ account }, holding(euros(1_00n)));
    expect(await ask({ account, amount: euros(1_00n) })).toBe(true);
    await expect(ask({ account: { ...account, currency: RON } })).rejects.toMatchObject(mismatch);
  });
});

describe("the card of the question", () => {
  const cardNumber = "5254121234563241";

  it("that is not the consent's: CARD_INVALID", async () => {
    const { ask } = await opened({ cardNumber });
    await expect(ask({ cardNumber: "5254121234563242" })).rejects.toMatchObject(
      refused(400, "CARD_INVALID", "cardNumber"),
    );
    expect(await ask({ cardNumber })).toBe(true);
  });

  it("may be left out, and a consent without one is for any of the TPP's cards", async () => {
    expect(await (await opened({ cardNumber })).ask()).toBe(true);
    expect(await (await opened()).ask({ cardNumber })).toBe(true);
  });
});

describe("B13: the checks of a consent", () => {
  it.each([
    [42, "42"],
    [0, "1"],
  ])(
    "used up: ACCESS_EXCEEDED with Retry-After, %s seconds from the store",
    async (seconds, header) => {
      const { ask, bank } = await opened();
      bank.fundsVerdict = { admitted: false, retryAfterSeconds: seconds };
      await expect(ask()).rejects.toMatchObject({
        ...refused(429, "ACCESS_EXCEEDED"),
        headers: { "retry-after": header },
      });
    },
  );

  it("by an answer that would help to find the balance: ACCESS_EXCEEDED, with the seconds from the store", async () => {
    const { ask, bank } = await opened();
    bank.fundsVerdict = { admitted: true, retryAfterSeconds: 0, searchRetrySeconds: 41.2 };
    await expect(ask()).rejects.toMatchObject({
      ...refused(429, "ACCESS_EXCEEDED"),
      headers: { "retry-after": "42" },
    });
  });

  it("are looked at last: another account or card is reported first, and has cost one as well", async () => {
    const { ask, bank } = await opened({ cardNumber: "1" });
    bank.fundsVerdict = { admitted: false, retryAfterSeconds: 1 };
    const account = { iban: "RO91DRWB0000000000000002" as Iban };
    await expect(ask({ account, cardNumber: "2" })).rejects.toMatchObject(
      refused(400, "NO_PIIS_ACTIVATION"),
    );
    await expect(ask({ cardNumber: "2" })).rejects.toMatchObject(refused(400, "CARD_INVALID"));
  });
});

describe("a funds consent is made by TPPs alone", () => {
  it("only the TPP's endpoint makes a funds consent, and nothing in the bank's own channels does", () => {
    const makers = sourceFiles(/^(app|components|lib)\/.*\.tsx?$/)
      .filter(({ path }) => !/\.(test|spec)\.|\/testing[/.-]/.test(path))
      .filter(({ text }) =>
        /\bcreateFundsConsent\b.*"@\/lib\/domain\/|function createFundsConsent\b|fundsConsents\.insert\(/.test(
          text,
        ),
      )
      .map(({ path }) => path);
    expect(makers.sort()).toEqual([
      "app/(xs2a)/open-banking/v3.1/cbpii/v2/consents/confirmation-of-funds/route.ts",
      "lib/domain/funds.ts",
    ]);
  });
});

const mihai = "mihai" as PsuId;

describe("the PSU at the bank", () => {
  it("revokes a valid funds consent, once", async () => {
    const { bank, ports } = inMemoryBank();
    const { id } = await validFundsConsent({ bank, ports });
    expect(await revokeFundsConsent(ports, { id, psuId: ana, now })).toBe(true);
    expect(bank.fundsConsents.get(id)?.status).toBe("revokedByPsu");
    expect(await revokeFundsConsent(ports, { id, psuId: ana, now })).toBe(false);
  });

  it("revokes a valid account information consent, once", async () => {
    const { bank, ports } = inMemoryBank();
    const { id } = await validConsent({ bank, ports });
    expect(await revokeAccountConsent(ports, { id, psuId: ana, now })).toBe(true);
    expect(bank.consents.get(id)).toMatchObject({ status: "revokedByPsu" });
    expect(await revokeAccountConsent(ports, { id, psuId: ana, now })).toBe(false);
  });

  it("P1: cannot revoke what another PSU has authorised", async () => {
    const { bank, ports } = inMemoryBank();
    const funds = await validFundsConsent({ bank, ports });
    const accounts = await validConsent({ bank, ports });
    expect(await revokeFundsConsent(ports, { id: funds.id, psuId: mihai, now })).toBe(false);
    expect(await revokeAccountConsent(ports, { id: accounts.id, psuId: mihai, now })).toBe(false);
    expect(bank.fundsConsents.get(funds.id)?.status).toBe("valid");
    expect(bank.consents.get(accounts.id)?.status).toBe("valid");
  });

  it("cannot revoke what nobody has authorised, or what is unknown", async () => {
    const { ports } = inMemoryBank();
    const funds = await receivedFundsConsent({ ports });
    const accounts = await receivedConsent(ports);
    const unknown = crypto.randomUUID() as string as typeof funds.id;
    for (const id of [funds.id, accounts.id, unknown]) {
      expect(await revokeFundsConsent(ports, { id, psuId: ana, now })).toBe(false);
      expect(await revokeAccountConsent(ports, { id, psuId: ana, now })).toBe(false);
    }
  });

  it("finds an overdue consent expired, not revoked", async () => {
    const { bank, ports } = inMemoryBank();
    const cardExpiryDate = "2026-11-20" as IsoDate;
    const funds = await validFundsConsent({ bank, ports }, { cardExpiryDate });
    const accounts = await validConsent({ bank, ports }, { validUntil: "2026-11-20" });
    const at = later(1_440);
    expect(await revokeFundsConsent(ports, { id: funds.id, psuId: ana, now: at })).toBe(false);
    expect(await revokeAccountConsent(ports, { id: accounts.id, psuId: ana, now: at })).toBe(false);
    expect(bank.fundsConsents.get(funds.id)?.status).toBe("expired");
    expect(bank.consents.get(accounts.id)?.status).toBe("expired");
  });
});

const statuses = Object.keys(fundsConsentTransitions) as FundsConsentStatus[];

describe("states of a confirmation of funds consent", () => {
  it("are those of an account information consent", () => {
    const { partiallyAuthorised, ...others } = fundsConsentTransitions;
    expect(others).toEqual(consentTransitions);
    expect(partiallyAuthorised).toEqual([]);
  });

  it("partiallyAuthorised is never entered: nobody has to authorise twice", () => {
    expect(statuses.some((from) => consentMayBecome(from, "partiallyAuthorised"))).toBe(false);
  });

  it("a consent that has ended stays as it ended", () => {
    const open = statuses.filter((status) => !consentIsFinal(status));
    expect(open).toEqual(["received", "valid"]);
  });
});
