import type { ResourceKind } from "@/lib/domain/authorisation";
import {
  type AccountConsent,
  type AnyConsentStatus,
  CONSENT_UNKNOWN,
  consentIsFinal,
  currentConsent,
  openConsent,
} from "@/lib/domain/consents";
import { type Rejection, reject } from "@/lib/domain/errors";
import { currentFundsConsent, type FundsConsent, openFundsConsent } from "@/lib/domain/funds";
import { type ConsentId, isUuid, type PaymentId, type TppId } from "@/lib/domain/values";
import { truncated } from "@/lib/eidas/certificate-fault";
import {
  type AccessToken,
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

export const tokenOfConsentInPath = optionalToken(
  "AIS",
  "consentId",
  async (ports, id: ConsentId, { tppId, now }) => {
    const consent = await ports.consents.findOfTpp(id, tppId);
    return consent && currentConsent(ports, consent, now);
  },
);

export const tokenOfFundsConsentInPath = optionalToken(
  "PIIS",
  "consentId",
  async (ports, id: ConsentId, { tppId, now }) => {
    const consent = await ports.fundsConsents.findOfTpp(id, tppId);
    return consent && currentFundsConsent(ports, consent, now);
  },
);

export const tokenOfPaymentInPath = optionalToken(
  "PIS",
  "paymentId",
  async (_ports, _id: PaymentId) => undefined,
);

/**
 * A resource can be read, and a consent deleted, before there is a token and after it has ended, so none is
 * demanded; one that is sent has to fit. The revoked or expired token of a consent that has ended does: the TPP may
 * still read the consent, and to refresh its token would fail. Rejects with 401 TOKEN_*.
 */
function optionalToken<Name extends string, Id extends string>(
  kind: ResourceKind,
  name: Name,
  findConsent: (
    ports: Xs2aPorts,
    id: Id,
    by: { readonly tppId: TppId; readonly now: Date },
  ) => Promise<{ readonly status: AnyConsentStatus } | undefined>,
): TokenRule<unknown, Readonly<Record<Name, Id>>, undefined> {
  const demand: TokenDemand = {
    bearer: "optional",
    scope: `${kind}:{${name}}`,
    refuses: [ofToken],
  };
  return tokenRule(demand, async ({ path, qwac, now, tokenActive, ...presented }, ports) => {
    if (presented.authorization === null) return undefined;
    const token = checkToken({ ...presented, qwac });
    checkScope(token, `${kind}:${path[name]}`);
    if (now < token.expiresAt && tokenActive) return undefined;
    const consent = await findConsent(ports, path[name], { tppId: qwac.tpp.id, now });
    if (consent !== undefined && consentIsFinal(consent.status)) return undefined;
    checkExpiry(token, now);
    checkActive(tokenActive);
    return undefined;
  });
}

type ConsentIdHeader = { readonly "consent-id": string };

const required = (kind: ResourceKind): TokenDemand => ({
  bearer: "required",
  scope: `${kind}:{consentId}`,
  refuses: [ofToken, ofOpenConsent],
});

/**
 * Account data: a token bound to this certificate, and the consent it was issued for in `Consent-ID`. Whether the consent
 * is open is judged after the form of the query, in `accessOf`, where the token is in order. Rejects with 401 TOKEN_* or
 * CONSENT_*, 400 CONSENT_UNKNOWN.
 */
export const tokenOfConsentInHeader: TokenRule<ConsentIdHeader, unknown, AccountConsent> =
  tokenRule(
    required("AIS"),
    async ({ headers, qwac, now, named, tokenActive, ...presented }, ports) => {
      const token = checkToken({ ...presented, qwac });
      const own = checkConsent(named?.consent, headers, qwac.tpp.id);
      checkScope(token, `AIS:${own.id}`);
      if (now < token.expiresAt && tokenActive) return own;
      // An ended consent is reported first: refreshing its token would fail.
      await openConsent(ports, own, now);
      checkExpiry(token, now);
      checkActive(tokenActive);
      return own;
    },
    (headers) => ({ consentId: consentIdIn(headers) }),
  );

/** The same for a question about funds, which is judged with its consent. */
export const tokenOfFundsConsentInHeader: TokenRule<ConsentIdHeader, unknown, FundsConsent> =
  tokenRule(
    required("PIIS"),
    async ({ headers, qwac, now, fundsConsent, tokenActive, ...presented }, ports) => {
      const token = checkToken({ ...presented, qwac });
      const own = checkConsent(fundsConsent, headers, qwac.tpp.id);
      checkScope(token, `PIIS:${own.id}`);
      if (now < token.expiresAt && tokenActive) return own;
      await openFundsConsent(ports, own, now);
      checkExpiry(token, now);
      checkActive(tokenActive);
      return own;
    },
    (headers) => ({ fundsConsentId: consentIdIn(headers) }),
  );

/** The consent that `Consent-ID` names, before the request has been judged. */
function consentIdIn(headers: HttpHeaders): ConsentId | undefined {
  const id = headers.get("consent-id")?.toLowerCase();
  return id !== undefined && isUuid(id) ? (id as ConsentId) : undefined;
}

/** The consent that was loaded is the TPP's own, and the one that `Consent-ID` names. */
function checkConsent<Consent extends { readonly id: ConsentId; readonly tppId: TppId }>(
  consent: Consent | undefined,
  headers: ConsentIdHeader,
  tppId: TppId,
): Consent {
  if (consent?.id === headers["consent-id"].toLowerCase() && consent.tppId === tppId) {
    return consent;
  }
  throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN, { status: 400, path: "Consent-ID" });
}

type Presented = Pick<
  Parameters<TokenRule<never, never, unknown>>[0],
  "authorization" | "token" | "qwac"
>;

/** A token of this TPP, bound to this certificate, of any scope, expired or not. */
function checkToken({ authorization, token, qwac }: Presented): AccessToken {
  if (authorization === null) throw unknown("Authorization is missing: it is Bearer and the token");
  if (bearerToken(authorization) === undefined) {
    throw unknown("Authorization is not the word Bearer and one token");
  }
  if (token === undefined || token.clientId !== qwac.tpp.id) {
    throw unknown("the access token is none that this bank has issued to this TPP");
  }
  if (token.thumbprint !== qwac.thumbprint) {
    throw invalid("the access token is bound to another certificate of this TPP; refresh it");
  }
  return token;
}

/** A token is for one resource, which its scope names. Rejects with 401 TOKEN_INVALID. */
function checkScope(token: AccessToken, scope: string): void {
  if (token.scope === scope) return;
  throw invalid(
    `the access token is for ${truncated(token.scope)}, here one for ${truncated(scope)} is needed`,
  );
}

function checkExpiry(token: AccessToken, now: Date): void {
  if (now < token.expiresAt) return;
  const [end, time] = [token.expiresAt, now].map((instant) => instant.toISOString());
  const text = `the access token has expired at ${end}, the bank's clock says ${time}; refresh it`;
  throw reject("TOKEN_EXPIRED", text, { path: "Authorization" });
}

/** A token that was revoked, or whose grant has ended before it. Rejects with 401 TOKEN_INVALID. */
function checkActive(tokenActive: boolean): void {
  if (!tokenActive)
    throw invalid("the access token was revoked, or what it was issued on has ended");
}

function unknown(text: string): Rejection {
  return reject("TOKEN_UNKNOWN", text, { path: "Authorization" });
}

function invalid(text: string): Rejection {
  return reject("TOKEN_INVALID", text, { path: "Authorization" });
}
