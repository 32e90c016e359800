import { CONSENT_UNKNOWN } from "@/lib/domain/consent/read-account-consent";
import { openFundsConsent } from "@/lib/domain/funds-confirmation/open-funds-consent";
import { type ConsentId, isUuid } from "@/lib/domain/identifiers";
import { reject } from "@/lib/domain/rejection";
import type { TokenRule } from "./endpoint";
import { ofOpenConsent, ofToken } from "./refusals";
import { checkEndedWith, checkExpiry, checkLives, checkScope, genuineToken } from "./token";
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
 * A question about funds: a token of the consent in `Consent-ID`. One that fits and lives
 * is judged by itself, since the consent's state comes with the answer; the database is asked here only
 * for what is wrong with one that does not. Rejects with 401 TOKEN_* or CONSENT_*, 400 CONSENT_UNKNOWN.
 */
export const tokenOfFundsConsentInHeader: TokenRule<
  { readonly "consent-id": string },
  unknown,
  ConsentId
> = tokenRule(ofConsent, async ({ authorization, headers, qwac, now, tokenLives }, ports) => {
  const token = await genuineToken({ authorization, qwac }, ports);
  const consentId = headers["consent-id"].toLowerCase() as ConsentId;
  const own = `PIIS:${consentId}`;
  if (token.scope === own && now < token.expiresAt && tokenLives) return consentId;
  const consent = isUuid(consentId)
    ? await ports.fundsConsents.findOfTpp(consentId, qwac.tpp.id)
    : undefined;
  if (consent === undefined) {
    throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN, { status: 400, path: "Consent-ID" });
  }
  checkScope(token, own);
  // A consent that has ended says so itself: to be told to refresh the token would lead nowhere.
  await openFundsConsent(ports, consent, now);
  checkExpiry(token, now);
  checkLives(tokenLives);
  return consentId;
});
