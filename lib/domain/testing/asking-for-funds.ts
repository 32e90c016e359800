import type { AvailableFunds } from "../core-bank";
import { confirmFunds, type FundsRequest } from "../funds-confirmation/confirm-funds";
import type { FundsConsentRequest } from "../funds-confirmation/funds-consent";
import { validFundsConsent } from "./funds";
import { inMemoryBank } from "./in-memory-bank";
import { EUR, newRequestId, now, RON } from "./samples";

export const euros = (minorUnits: bigint) => ({ currency: EUR, minorUnits });
export const lei = (minorUnits: bigint) => ({ currency: RON, minorUnits });
export const holding = (available: ReturnType<typeof lei>): AvailableFunds => ({
  currency: available.currency,
  status: "enabled",
  available,
});
export const refusedWith = (status: number, code: string, path?: string) => ({
  status,
  faults: [path === undefined ? { code } : { code, path }],
});

/** A valid consent for an account with 100.00 RON. */
export async function openedForFunds(
  asked: Partial<FundsConsentRequest> = {},
  account = holding(lei(100_00n)),
) {
  const house = inMemoryBank();
  const consent = await validFundsConsent(house, asked);
  house.bank.availableFunds = account;
  const ask = (request: Partial<FundsRequest> = {}, at = now) => {
    const known = house.bank.fundsConsents.get(consent.id);
    return confirmFunds(house.ports, {
      consent: known ?? consent,
      requestId: newRequestId(),
      request: { account: { iban: consent.account.iban }, amount: lei(100_00n), ...request },
      now: at,
    });
  };
  return { ...house, consent, ask };
}
