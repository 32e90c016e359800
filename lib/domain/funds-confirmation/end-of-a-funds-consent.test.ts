import { describe, expect, it } from "vitest";
import { aspspProfile } from "../aspsp-profile";
import type { IsoDate } from "../iso-date";
import { validFundsConsent } from "../testing/funds";
import { inMemoryBank } from "../testing/in-memory-bank";
import { later } from "../testing/samples";
import { currentFundsConsent, endOfFundsConsent, hasExpired } from "./current-funds-consent";

describe("a confirmation of funds consent", () => {
  it.each([
    // Winter, summer, and the days on which the bank's clocks are changed: 25 hours and 23.
    ["2026-12-31", "2026-12-31T22:00:00Z"],
    ["2027-07-31", "2027-07-31T21:00:00Z"],
    ["2027-10-31", "2027-10-31T22:00:00Z"],
    ["2027-03-28", "2027-03-28T21:00:00Z"],
  ])("expires with the last local day of its card, %s", async (lastDay, end) => {
    const house = inMemoryBank();
    const consent = await validFundsConsent(house, { cardExpiryDate: lastDay as IsoDate });
    const at = (milliseconds: number) => new Date(Date.parse(end) + milliseconds);
    const before = await currentFundsConsent(house.ports, consent, at(-1));
    expect(before.status).toBe("valid");
    expect(await currentFundsConsent(house.ports, consent, at(0))).toMatchObject({
      status: "expired",
    });
    expect(house.bank.fundsConsents.get(consent.id)?.status).toBe("expired");
    expect(endOfFundsConsent(consent, aspspProfile)).toEqual(new Date(end));
  });

  it.each([undefined, "9999-12-31"])("whose card has %s as its last day has no end", (lastDay) => {
    const card = lastDay === undefined ? {} : { cardExpiryDate: lastDay as IsoDate };
    expect(endOfFundsConsent(card, aspspProfile)).toBeUndefined();
    expect(hasExpired(card, new Date("9999-12-31T12:00:00Z"), aspspProfile)).toBe(false);
  });

  it("without a card's last day has no end: the 180 days are account information's", async () => {
    const house = inMemoryBank();
    const consent = await validFundsConsent(house);
    const tenYears = later(10 * 366 * 1_440);
    const { status } = await currentFundsConsent(house.ports, consent, tenYears);
    expect(status).toBe("valid");
  });
});
