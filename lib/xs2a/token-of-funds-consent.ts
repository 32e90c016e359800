import { CONSENT_UNKNOWN } from "@/lib/domain/consent/read-account-consent";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import { openFundsConsent } from "@/lib/domain/funds-confirmation/open-funds-consent";
import type { ConsentId } from "@/lib/domain/identifiers";
import { reject } from "@/lib/domain/rejection";
import type { TokenRule } from "./endpoint";
import { ofOpenConsent, ofToken } from "./refusals";
import {
  checkEndedWith,
  checkExpiry,
  checkLives,
  checkScope,
  consentIdIn,
  genuineToken,
} from "./token";
import { type TokenDemand, tokenRule } from "./token-rule";

const scope = "PIIS:{consentId}";
const perhapsOfConsent: TokenDemand = { bearer: "optional", scope, refuses: [ofToken] };
const ofConsent: TokenDemand = { bearer: "required", scope, refuses: [ofToken, ofOpenConsent] };

/**
 * Like an account information consent, one for funds is read and deleted without a token too; one that
 * is sent has to fit. Rejects with 401 TOKEN_*.
 */
export const tokenOfFundsConsentInPath: TokenRule<
  unknown,
  { readonly consentId: ConsentId },
  undefined
> = tokenRule(perhapsOfConsent, async ({ authorization, path, qwac, now, tokenLives }, ports) => {
  if (authorization === null) return undefined;
  const token = await genuineToken({ authorization, qwac }, ports);
  checkScope(token, `PIIS:${path.consentId}`);
  checkExpiry(token, now);
  if (tokenLives) return undefined;
  const consent = await ports.fundsConsents.findOfTpp(path.consentId, qwac.tpp.id);
  checkEndedWith(consent);
});

/**
 * A question about funds: a token bound to this certificate, and the consent it was issued for in `Consent-ID`.
 * Whether the consent is open is judged with the question where the token is in order. Rejects with 401 TOKEN_*
 * or CONSENT_*, 400 CONSENT_UNKNOWN.
 */
export const tokenOfFundsConsentInHeader: TokenRule<
  { readonly "consent-id": string },
  unknown,
  FundsConsent
> = tokenRule(
  ofConsent,
  async ({ authorization, headers, qwac, now, fundsConsent, tokenLives }, ports) => {
    const token = await genuineToken({ authorization, qwac }, ports);
    const consentId = headers["consent-id"].toLowerCase();
    if (fundsConsent?.id !== consentId || fundsConsent.tppId !== qwac.tpp.id) {
      throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN, { status: 400, path: "Consent-ID" });
    }
    const own = `PIIS:${consentId}`;
    if (token.scope === own && now < token.expiresAt && tokenLives) return fundsConsent;
    checkScope(token, own);
    // A consent that has ended says so itself: to be told to refresh the token would lead nowhere.
    await openFundsConsent(ports, fundsConsent, now);
    checkExpiry(token, now);
    checkLives(tokenLives);
    return fundsConsent;
  },
  (headers) => ({ fundsConsentId: consentIdIn(headers) }),
);
