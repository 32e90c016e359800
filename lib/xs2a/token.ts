import { openConsent } from "@/lib/domain/account-access/open-consent";
import { CONSENT_UNKNOWN } from "@/lib/domain/consent/read-account-consent";
import { type ConsentId, isUuid, type PaymentId } from "@/lib/domain/identifiers";
import { type Rejection, reject } from "@/lib/domain/rejection";
import type { NamedConsent } from "@/lib/domain/tpp/arrival";
import { shown } from "@/lib/eidas/shown";
import type { AccessToken } from "./access-tokens";
import type { Caller, TokenRule } from "./endpoint";
import type { HttpHeaders } from "./http";
import { bearerIn } from "./identify-tpp";
import type { Xs2aPorts } from "./ports";
import { ofOpenConsent, ofToken } from "./refusals";
import { type TokenDemand, tokenRule } from "./token-rule";

/** Before the PSU has authorised anything there is no token. */
export const noToken: TokenRule<unknown, unknown, undefined> = tokenRule(
  { bearer: "none" },
  async () => undefined,
);

const perhapsOfConsent: TokenDemand = {
  bearer: "optional",
  scope: "AIS:{consentId}",
  refuses: [ofToken],
};

/**
 * A consent can be read and deleted before there is a token and after it has run out, so none is
 * demanded; one that is sent has to fit. Rejects with 401 TOKEN_*.
 */
export const tokenOfConsentInPath: TokenRule<
  unknown,
  { readonly consentId: ConsentId },
  undefined
> = tokenRule(perhapsOfConsent, async ({ authorization, path, qwac, now, tokenLives }, ports) => {
  if (authorization === null) return undefined;
  const token = await genuineToken({ authorization, qwac }, ports);
  checkScope(token, `AIS:${path.consentId}`);
  checkExpiry(token, now);
  if (tokenLives) return undefined;
  const consent = await ports.consents.findOfTpp(path.consentId, qwac.tpp.id);
  checkEndedWith(consent);
});

const perhapsOfPayment: TokenDemand = {
  bearer: "optional",
  scope: "PIS:{paymentId}",
  refuses: [ofToken],
};

/** A payment is looked at without a token as well; one that is sent has to fit. Rejects with 401 TOKEN_*. */
export const tokenOfPaymentInPath: TokenRule<
  unknown,
  { readonly paymentId: PaymentId },
  undefined
> = tokenRule(perhapsOfPayment, async ({ authorization, path, qwac, now, tokenLives }, ports) => {
  if (authorization === null) return undefined;
  const token = await genuineToken({ authorization, qwac }, ports);
  checkScope(token, `PIS:${path.paymentId}`);
  checkExpiry(token, now);
  checkLives(tokenLives);
});

const ofConsentInHeader: TokenDemand = {
  bearer: "required",
  scope: "AIS:{consentId}",
  refuses: [ofToken, ofOpenConsent],
};

/**
 * Account data: a token bound to this certificate, the consent it was issued for in `Consent-ID`,
 * and that consent open now. Rejects with 401 TOKEN_* or CONSENT_*, 400 CONSENT_UNKNOWN.
 */
export const tokenOfConsentInHeader: TokenRule<
  { readonly "consent-id": string },
  unknown,
  NamedConsent
> = tokenRule(
  ofConsentInHeader,
  async ({ authorization, headers, qwac, now, named, tokenLives }, ports) => {
    const token = await genuineToken({ authorization, qwac }, ports);
    const consentId = headers["consent-id"].toLowerCase() as ConsentId;
    if (named?.consent.id !== consentId || named.consent.tppId !== qwac.tpp.id) {
      throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN, { status: 400, path: "Consent-ID" });
    }
    checkScope(token, `AIS:${consentId}`);
    // A consent that has ended says so itself: to be told to refresh the token would lead nowhere.
    const consent = await openConsent(ports, named.consent, now);
    checkExpiry(token, now);
    checkLives(tokenLives);
    return { consent };
  },
  (headers) => ({ consentId: consentIdIn(headers) }),
);

/** The consent that `Consent-ID` names, before the request has been judged. */
export function consentIdIn(headers: HttpHeaders): ConsentId | undefined {
  const id = headers.get("consent-id")?.toLowerCase();
  return id !== undefined && isUuid(id) ? (id as ConsentId) : undefined;
}

type Presented = Pick<Caller, "qwac"> & { readonly authorization: string | null };

/** A token of this TPP on this certificate, whatever it opens and whether or not its time is over. */
export async function genuineToken(
  { authorization, qwac }: Presented,
  { accessTokens }: Pick<Xs2aPorts, "accessTokens">,
): Promise<AccessToken> {
  if (authorization === null) throw unknown("Authorization is missing: it is Bearer and the token");
  const bearer = bearerIn(authorization);
  if (bearer === undefined) throw unknown("Authorization is not the word Bearer and one token");
  const token = await accessTokens.read(bearer);
  if (token === undefined || token.clientId !== qwac.tpp.id) {
    throw unknown("the access token is none that this bank has issued to this TPP");
  }
  if (token.thumbprint !== qwac.thumbprint) {
    const text = "the access token is bound to another certificate of this TPP; refresh it";
    throw reject("TOKEN_INVALID", text, { path: "Authorization" });
  }
  return token;
}

/** A token opens one resource, which its scope names. Rejects with 401 TOKEN_INVALID. */
export function checkScope(token: AccessToken, scope: string): void {
  if (token.scope === scope) return;
  const text = `the access token is for ${shown(token.scope)}, here one for ${shown(scope)} is needed`;
  throw reject("TOKEN_INVALID", text, { path: "Authorization" });
}

/** Rejects with 401 TOKEN_EXPIRED. */
export function checkExpiry(token: AccessToken, now: Date): void {
  if (now < token.expiresAt) return;
  const times = [token.expiresAt, now].map((instant) => instant.toISOString());
  const text = `the access token has expired at ${times[0]}, the bank's clock says ${times[1]}; refresh it`;
  throw reject("TOKEN_EXPIRED", text, { path: "Authorization" });
}

/** A token that was revoked, or whose grant has ended before it. Rejects with 401 TOKEN_INVALID. */
export function checkLives(tokenLives: boolean): void {
  if (tokenLives) return;
  const text = "the access token was revoked, or what it was issued on has ended";
  throw reject("TOKEN_INVALID", text, { path: "Authorization" });
}

/**
 * A dead token of a consent that has ended: the TPP may still read that it has, and how. Rejects with 401
 * TOKEN_INVALID when the token alone is dead.
 */
export function checkEndedWith(consent: { readonly status: string } | undefined): void {
  checkLives(consent !== undefined && consent.status !== "valid");
}

function unknown(text: string): Rejection {
  return reject("TOKEN_UNKNOWN", text, { path: "Authorization" });
}
