import { confirmFunds, type FundsRequest } from "../funds-confirmation/confirm-funds";
import type { FundsLook } from "../funds-confirmation/funds-check";
import type { FundsConsentRequest } from "../funds-confirmation/funds-consent";
import { validFundsConsent } from "./funds";
import { inMemoryBank } from "./in-memory-bank";
import { EUR, newRequestId, now, RON, tpp } from "./samples";

export const euros = (minorUnits: bigint) => ({ currency: EUR, minorUnits });
export const lei = (minorUnits: bigint) => ({ currency: RON, minorUnits });
export const holding = (available: ReturnType<typeof lei>): NonNullable<FundsLook["account"]> => ({
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
  house.bank.fundsLook = { admitted: true, retryAfterSeconds: 0, account };
  const look = (shown: Partial<typeof house.bank.fundsLook>) => {
    house.bank.fundsLook = { ...house.bank.fundsLook, ...shown };
  };
  const ask = (request: Partial<FundsRequest> = {}, at = now, consentId = consent.id) =>
    confirmFunds(house.ports, {
      consentId,
      tppId: tpp.id,
      requestId: newRequestId(),
      request: { account: { iban: consent.account.iban }, amount: lei(100_00n), ...request },
      now: at,
    });
  return { ...house, consent, look, ask };
}
