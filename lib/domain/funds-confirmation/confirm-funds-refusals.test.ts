import { describe, expect, it } from "vitest";
import type { Iban } from "../iban";
import type { IsoDate } from "../iso-date";
import {
  euros,
  holding,
  lei,
  openedForFunds as opened,
  refusedWith as refused,
} from "../testing/asking-for-funds";
import { receivedFundsConsent } from "../testing/funds";
import { current, EUR, later, multiEur, RON } from "../testing/samples";

describe("the consent", () => {
  it("that is ended while the core bank is asked answers nothing, and no check is counted", async () => {
    const { ask, bank, consent } = await opened();
    Object.defineProperty(bank, "availableFunds", {
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

  it("whose card has run out is settled on the way, and answers nothing: CONSENT_EXPIRED", async () => {
    const { ask, bank, consent } = await opened({ cardExpiryDate: "2026-11-30" as IsoDate });
    expect(await ask({}, new Date("2026-11-30T21:59:59Z"))).toBe(true);
    await expect(ask({}, new Date("2026-11-30T22:00:00Z"))).rejects.toMatchObject(
      refused(401, "CONSENT_EXPIRED"),
    );
    expect(bank.fundsConsents.get(consent.id)?.status).toBe("expired");
  });

  it("that nobody authorised in time is settled on the way: CONSENT_INVALID", async () => {
    const { ports, bank, ...house } = await opened();
    const received = await receivedFundsConsent({ ports });
    const { id } = received;
    bank.fundsConsents.set(house.consent.id, received);
    await expect(house.ask({}, later(15))).rejects.toMatchObject(refused(401, "CONSENT_INVALID"));
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

  it("are looked at last: another account or card is told first, and has cost one as well", async () => {
    const { ask, bank } = await opened({ cardNumber: "1" });
    bank.fundsVerdict = { admitted: false, retryAfterSeconds: 1 };
    const account = { iban: "RO91DRWB0000000000000002" as Iban };
    await expect(ask({ account, cardNumber: "2" })).rejects.toMatchObject(
      refused(400, "NO_PIIS_ACTIVATION"),
    );
    await expect(ask({ cardNumber: "2" })).rejects.toMatchObject(refused(400, "CARD_INVALID"));
  });
});
