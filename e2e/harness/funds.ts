import {
  CBPII,
  type FundsConsentRequest,
  type FundsQuestion,
  type Permission,
  type Token,
} from "@/clients/typescript/src";
import { askForFunds } from "./asking-for-funds";
import { ANA_CURRENT } from "./payment-request";
import type { UserId } from "./psu";
import type { PsuByForms } from "./psu-by-forms";
import { UNKNOWN_ID } from "./requests";
import type { Asked, TestTpp } from "./test-tpp";

export const FUNDS_CONSENTS = `${CBPII}/v2/consents/confirmation-of-funds`;
export const FUNDS_CONFIRMATIONS = `${CBPII}/v1/funds-confirmations`;

/** For ana's current account, unless said otherwise. */
export function fundsRequest(changes: Partial<FundsConsentRequest> = {}): FundsConsentRequest {
  return { account: { iban: ANA_CURRENT }, ...changes };
}

/** Whether there is one leu. */
export function fundsQuestion(changes: Partial<FundsQuestion> = {}): FundsQuestion {
  const instructedAmount = { currency: "RON", amount: "1.00" };
  return { account: { iban: ANA_CURRENT }, instructedAmount, ...changes };
}

type FundsGrant = Permission & { readonly asked: Asked; readonly token: Token };

type Visitor = {
  readonly tpp: TestTpp;
  readonly psu: Pick<PsuByForms, "open" | "agreeAtOnce">;
  readonly userId?: UserId;
};

/** The whole journey: consent, authorisation, token. */
export async function authoriseFunds(
  { tpp, psu, userId = "ana" }: Visitor,
  changes: Partial<FundsConsentRequest> = {},
): Promise<FundsGrant> {
  const asked = await askForFunds(tpp, changes);
  await psu.open(asked.request.url);
  await psu.agreeAtOnce(userId, tpp.name);
  const token = await tpp.collect(asked);
  return { consentId: asked.consentId, accessToken: token.accessToken, asked, token };
}

/** Every endpoint of the CBPII area, with unknown ids unless they are given. */
export function fundsEndpoints(consentId = UNKNOWN_ID) {
  const consent = `${FUNDS_CONSENTS}/${consentId}`;
  return [
    { method: "POST", path: FUNDS_CONSENTS },
    { method: "GET", path: consent },
    { method: "DELETE", path: consent },
    { method: "GET", path: `${consent}/status` },
    { method: "GET", path: `${consent}/authorisations` },
    { method: "GET", path: `${consent}/authorisations/${UNKNOWN_ID}` },
    { method: "POST", path: FUNDS_CONFIRMATIONS },
  ] as const;
}
