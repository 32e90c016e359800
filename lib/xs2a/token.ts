import { openConsent } from "@/lib/domain/account-access";
import { CONSENT_UNKNOWN } from "@/lib/domain/consents";
import { type Rejection, reject } from "@/lib/domain/errors";
import { type FundsConsent, openFundsConsent } from "@/lib/domain/funds";
import type { NamedConsent } from "@/lib/domain/request-context";
import { type ConsentId, isUuid, type PaymentId } from "@/lib/domain/values";
import { truncated } from "@/lib/eidas/certificate-fault";
import {
  type AccessToken,
  type Caller,
  type TokenDemand,
  type TokenRule,
  tokenRule,
  type Xs2aPorts,
} from "./declaration";
import type { HttpHeaders } from "./http";
import { ofOpenConsent, ofToken } from "./refusals";
import { bearerToken } from "./request-context";

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
> = tokenRule(perhapsOfConsent, async ({ authorization, path, qwac, now, tokenActive }, ports) => {
  if (authorization === null) return undefined;
  const token = await genuineToken({ authorization, qwac }, ports);
  checkScope(token, `AIS:${path.consentId}`);
  checkExpiry(token, now);
  if (tokenActive) return undefined;
  const consent = await ports.consents.findOfTpp(path.consentId, qwac.tpp.id);
  checkEndedWith(consent);
});

const perhapsOfPayment: TokenDemand = {
  bearer: "optional",
  scope: "PIS:{paymentId}",
  refuses: [ofToken],
};

/** A payment can be read without a token as well; one that is sent has to be valid for it. Rejects with 401 TOKEN_*. */
export const tokenOfPaymentInPath: TokenRule<
  unknown,
  { readonly paymentId: PaymentId },
  undefined
> = tokenRule(perhapsOfPayment, async ({ authorization, path, qwac, now, tokenActive }, ports) => {
  if (authorization === null) return undefined;
  const token = await genuineToken({ authorization, qwac }, ports);
  checkScope(token, `PIS:${path.paymentId}`);
  checkExpiry(token, now);
  checkActive(tokenActive);
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
  async ({ authorization, headers, qwac, now, named, tokenActive }, ports) => {
    const token = await genuineToken({ authorization, qwac }, ports);
    const consentId = headers["consent-id"].toLowerCase() as ConsentId;
    if (named?.consent.id !== consentId || named.consent.tppId !== qwac.tpp.id) {
      throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN, { status: 400, path: "Consent-ID" });
    }
    checkScope(token, `AIS:${consentId}`);
    // An ended consent is reported first: refreshing its token would fail.
    const consent = await openConsent(ports, named.consent, now);
    checkExpiry(token, now);
    checkActive(tokenActive);
    return { consent };
  },
  (headers) => ({ consentId: consentIdIn(headers) }),
);

/** The consent that `Consent-ID` names, before the request has been judged. */
function consentIdIn(headers: HttpHeaders): ConsentId | undefined {
  const id = headers.get("consent-id")?.toLowerCase();
  return id !== undefined && isUuid(id) ? (id as ConsentId) : undefined;
}

type Presented = Pick<Caller, "qwac"> & { readonly authorization: string | null };

/** A token of this TPP, bound to this certificate, of any scope, expired or not. */
async function genuineToken(
  { authorization, qwac }: Presented,
  { accessTokens }: Pick<Xs2aPorts, "accessTokens">,
): Promise<AccessToken> {
  if (authorization === null) throw unknown("Authorization is missing: it is Bearer and the token");
  const bearer = bearerToken(authorization);
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

/** A token is for one resource, which its scope names. Rejects with 401 TOKEN_INVALID. */
function checkScope(token: AccessToken, scope: string): void {
  if (token.scope === scope) return;
  const text = `the access token is for ${truncated(token.scope)}, here one for ${truncated(scope)} is needed`;
  throw reject("TOKEN_INVALID", text, { path: "Authorization" });
}

/** Rejects with 401 TOKEN_EXPIRED. */
function checkExpiry(token: AccessToken, now: Date): void {
  if (now < token.expiresAt) return;
  const times = [token.expiresAt, now].map((instant) => instant.toISOString());
  const text = `the access token has expired at ${times[0]}, the bank's clock says ${times[1]}; refresh it`;
  throw reject("TOKEN_EXPIRED", text, { path: "Authorization" });
}

/** A token that was revoked, or whose grant has ended before it. Rejects with 401 TOKEN_INVALID. */
function checkActive(tokenActive: boolean): void {
  if (tokenActive) return;
  const text = "the access token was revoked, or what it was issued on has ended";
  throw reject("TOKEN_INVALID", text, { path: "Authorization" });
}

/**
 * A revoked token of a consent that has ended: the TPP may still read the consent. Rejects with 401
 * TOKEN_INVALID when only the token is revoked.
 */
function checkEndedWith(consent: { readonly status: string } | undefined): void {
  checkActive(consent !== undefined && consent.status !== "valid");
}

function unknown(text: string): Rejection {
  return reject("TOKEN_UNKNOWN", text, { path: "Authorization" });
}

const scopeOfFundsConsent = "PIIS:{consentId}";
const perhapsOfFundsConsent: TokenDemand = {
  bearer: "optional",
  scope: scopeOfFundsConsent,
  refuses: [ofToken],
};
const ofFundsConsent: TokenDemand = {
  bearer: "required",
  scope: scopeOfFundsConsent,
  refuses: [ofToken, ofOpenConsent],
};

/**
 * Like an account information consent, one for funds is read and deleted without a token too; one that
 * is sent has to fit. Rejects with 401 TOKEN_*.
 */
export const tokenOfFundsConsentInPath: TokenRule<
  unknown,
  { readonly consentId: ConsentId },
  undefined
> = tokenRule(
  perhapsOfFundsConsent,
  async ({ authorization, path, qwac, now, tokenActive }, ports) => {
    if (authorization === null) return undefined;
    const token = await genuineToken({ authorization, qwac }, ports);
    checkScope(token, `PIIS:${path.consentId}`);
    checkExpiry(token, now);
    if (tokenActive) return undefined;
    const consent = await ports.fundsConsents.findOfTpp(path.consentId, qwac.tpp.id);
    checkEndedWith(consent);
  },
);

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
  ofFundsConsent,
  async ({ authorization, headers, qwac, now, fundsConsent, tokenActive }, ports) => {
    const token = await genuineToken({ authorization, qwac }, ports);
    const consentId = headers["consent-id"].toLowerCase();
    if (fundsConsent?.id !== consentId || fundsConsent.tppId !== qwac.tpp.id) {
      throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN, { status: 400, path: "Consent-ID" });
    }
    const own = `PIIS:${consentId}`;
    if (token.scope === own && now < token.expiresAt && tokenActive) return fundsConsent;
    checkScope(token, own);
    // An ended consent is reported first: refreshing its token would fail.
    await openFundsConsent(ports, fundsConsent, now);
    checkExpiry(token, now);
    checkActive(tokenActive);
    return fundsConsent;
  },
  (headers) => ({ fundsConsentId: consentIdIn(headers) }),
);
