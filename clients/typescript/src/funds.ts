import { type Call, type CallOptions, type Permission, type Redirects, visitHeaders } from "./call";
import type { Reply } from "./reply";
import type { AccountReference, Amount, ConsentCreated } from "./wire";

export const CBPII = "/open-banking/v3.1/cbpii";

/** A card's issuer asks the PSU to let it ask about this account. */
export type FundsConsentRequest = {
  readonly account: AccountReference;
  readonly cardNumber?: string;
  readonly cardExpiryDate?: string;
  readonly cardInformation?: string;
  readonly registrationInformation?: string;
};

export type FundsConsent = FundsConsentRequest & { readonly consentStatus: string };

export type FundsQuestion = {
  readonly account: AccountReference;
  readonly instructedAmount: Amount;
  readonly cardNumber?: string;
  readonly payee?: string;
};

type FundsAnswer = { readonly fundsAvailable: boolean };

type Funds = { readonly call: Call; readonly psuIpAddress: string | undefined };

/** Confirmation of funds: its consents are version 2 of the standard, the question is version 1. */
export function funds({ call, psuIpAddress }: Funds) {
  const consents = `${CBPII}/v2/consents/confirmation-of-funds`;
  const get = <Body>(target: string, more?: CallOptions) => call<Body>("GET", target, more);
  const pathOf = (id: string) => `${consents}/${encodeURIComponent(id)}`;

  return {
    createFundsConsent: async (
      consent: FundsConsentRequest,
      redirects: Redirects,
      more: CallOptions = {},
    ): Promise<Reply<ConsentCreated>> =>
      call<ConsentCreated>("POST", consents, {
        ...more,
        body: consent,
        headers: visitHeaders(psuIpAddress, redirects, more),
      }),
    fundsConsent: (id: string, more?: CallOptions) => get<FundsConsent>(pathOf(id), more),
    fundsConsentStatus: (id: string, more?: CallOptions) =>
      get<{ readonly consentStatus: string }>(`${pathOf(id)}/status`, more),
    deleteFundsConsent: (id: string, more?: CallOptions) =>
      call<undefined>("DELETE", pathOf(id), more),
    fundsAuthorisations: (id: string, more?: CallOptions) =>
      get<{ readonly authorisationIds: readonly string[] }>(`${pathOf(id)}/authorisations`, more),
    fundsScaStatus: (id: string, authorisationId: string, more?: CallOptions) =>
      get<{ readonly scaStatus: string }>(
        `${pathOf(id)}/authorisations/${encodeURIComponent(authorisationId)}`,
        more,
      ),
    /** Yes or no; the answer may be used for this one purchase and is not to be kept (PSD2 art. 65(3)). */
    confirmFunds: (
      { consentId, accessToken }: Permission,
      question: FundsQuestion,
      more: CallOptions = {},
    ): Promise<Reply<FundsAnswer>> =>
      call<FundsAnswer>("POST", `${CBPII}/v1/funds-confirmations`, {
        ...more,
        body: question,
        headers: {
          "consent-id": consentId,
          authorization: `Bearer ${accessToken}`,
          ...more.headers,
        },
      }),
  };
}
