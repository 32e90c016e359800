import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { type JWTHeaderParameters, jwtVerify } from "jose";
import { JOSEError, JWKSNoMatchingKey } from "jose/errors";
import type Provider from "oidc-provider";
import type { JWK, KoaContextWithOIDC } from "oidc-provider";
import * as z from "zod";
import { getOrCreate } from "@/lib/cache";
import type { Authorisation, ResourceKind } from "@/lib/domain/authorisation";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { currentConsent, endOfConsent } from "@/lib/domain/consents";
import { bankRefusal } from "@/lib/domain/core-bank";
import { currentFundsConsent, endOfFundsConsent } from "@/lib/domain/funds";
import type { OidcModelStore } from "@/lib/domain/oidc-models";
import type { Ports } from "@/lib/domain/ports";
import type { IssuedToken } from "@/lib/domain/request-context";
import { type AuthorisationId, addTime, type TppId } from "@/lib/domain/values";
import { privateKeysInPem } from "@/lib/secrets";
import { hashOf } from "./adapter";
import { formatScope } from "./authorisation-request";

export type AccessTokens = {
  /** The content of a token that this bank signed for its own interface, expired or not; undefined for any other. */
  readonly read: (token: string) => Promise<IssuedToken | undefined>;
};

/** This bank's own claim: the hash of the grant, with which the token ends. */
export const GRANT_CLAIM = "grant";

/** Some megabytes; an evicted token is verified once more. */
const REMEMBERED_MAX = 10_000;

/**
 * A verified token is cached; whether it is still active is checked elsewhere at each request. A token that
 * does not verify is never cached, so that no caller can fill the memory.
 */
export function accessTokens(
  keys: readonly Pick<SigningKey, "publicKey" | "kid">[],
  { issuer, audience }: { readonly issuer: string; readonly audience: string },
): AccessTokens {
  const rules = {
    algorithms: [SIGNING_ALGORITHM],
    issuer,
    audience,
    typ: "at+jwt",
    // Before any token was issued, so that none has expired by then.
    currentDate: new Date(0),
  };
  const byKid = new Map(keys.map(({ kid, publicKey }) => [kid, publicKey]));
  const keyOf = ({ kid }: JWTHeaderParameters) => {
    const key = byKid.get(kid ?? "none");
    if (key === undefined) throw new JWKSNoMatchingKey();
    return key;
  };
  const verified = async (token: string): Promise<IssuedToken | undefined> => {
    try {
      return fromClaims((await jwtVerify(token, keyOf, rules)).payload);
    } catch (error) {
      if (error instanceof JOSEError) return undefined;
      throw error;
    }
  };
  const genuine = new Map<string, IssuedToken>();
  return {
    read: async (token) => {
      // The cache holds hashes: no copy of a token is kept.
      const key = createHash("sha256").update(token).digest("base64");
      const read = genuine.get(key) ?? (await verified(token));
      return read && getOrCreate(genuine, key, REMEMBERED_MAX, () => read);
    },
  };
}

function fromClaims(claims: Readonly<Record<string, unknown>>): IssuedToken | undefined {
  const { client_id: clientId, scope, sub, exp, cnf, jti, [GRANT_CLAIM]: grantHash } = claims;
  const thumbprint = thumbprintOf(cnf);
  if (typeof clientId !== "string" || typeof sub !== "string") return undefined;
  if (typeof scope !== "string" || scope.includes(" ")) return undefined;
  if (typeof exp !== "number" || thumbprint === undefined) return undefined;
  if (typeof jti !== "string" || typeof grantHash !== "string") return undefined;
  return {
    clientId: clientId as TppId,
    scope,
    authorisationId: sub as AuthorisationId,
    expiresAt: new Date(exp * 1_000),
    thumbprint,
    grantHash,
    hash: hashOf(jti),
  };
}

function thumbprintOf(confirmation: unknown): string | undefined {
  if (typeof confirmation !== "object" || confirmation === null) return undefined;
  const thumbprint = "x5t#S256" in confirmation ? confirmation["x5t#S256"] : undefined;
  return typeof thumbprint === "string" ? thumbprint : undefined;
}

type Middleware = Parameters<Provider["use"]>[0];

/**
 * RFC 7009 for access tokens. The library stores no JWT and refuses to revoke one, after it has
 * authenticated the client; here its hash is stored until the token would have expired, and readers check that.
 * Another client's token, or no token at all, gets the same answer and changes nothing.
 */
export function revokeAccessTokens(tokens: AccessTokens, models: OidcModelStore): Middleware {
  return async (ctx, next) => {
    await next();
    const asked = refusedAttempt(ctx, "/token/revocation", "unsupported_token_type", "token");
    if (asked === undefined) return;
    const token = await tokens.read(asked.value);
    if (token !== undefined && token.clientId === asked.clientId) {
      const { hash, expiresAt, authorisationId: accountId } = token;
      await models.upsert("RevokedAccessToken", hash, {}, expiresAt, { accountId });
    }
    ctx.status = 200;
    ctx.body = "";
  };
}

type Answered = {
  readonly path: string;
  readonly body: unknown;
  readonly oidc?: KoaContextWithOIDC["oidc"];
};

/** What a client sent as this parameter, if this endpoint has refused it with this error. */
export function refusedAttempt(
  { path, body, oidc }: Answered,
  endpoint: string,
  error: string,
  parameter: string,
): { readonly value: string; readonly clientId: string } | undefined {
  const refused = typeof body === "object" && body !== null && "error" in body && body.error;
  if (path !== endpoint || refused !== error) return undefined;
  const value = oidc?.params?.[parameter];
  const clientId = oidc?.client?.clientId;
  return typeof value === "string" && clientId !== undefined ? { value, clientId } : undefined;
}

/** The terms of the request's grant, and the instant they were read. */
type GrantStanding = { readonly terms: GrantTerms; readonly now: Date };

/**
 * oidc-provider asks for lifetimes synchronously, so the terms are loaded where it awaits
 * (when it loads the account) and kept for this one request.
 */
export function tokenLifetimes({ oauth, sca }: AspspProfile) {
  const standings = new WeakMap<object, GrantStanding>();

  const standing = (ctx: KoaContextWithOIDC): GrantStanding => {
    const found = standings.get(ctx);
    if (found === undefined)
      throw new Error("a token was to be issued without looking at its grant");
    return found;
  };
  const left = (ctx: KoaContextWithOIDC): number => {
    const { terms, now } = standing(ctx);
    return secondsToLive(terms.endsAt, now);
  };
  const accessTokenSeconds = (ctx: KoaContextWithOIDC): number =>
    Math.min(oauth.accessTokenSeconds, left(ctx));

  return {
    remember: (ctx: KoaContextWithOIDC, found: GrantStanding) => standings.set(ctx, found),
    standing,
    /**
     * `iat` and `exp` of an access token, by the bank's clock. A token that expires with its consent does
     * so in the same second: rounding twice would take up to two seconds of the ten minutes.
     */
    claims: (ctx: KoaContextWithOIDC) => {
      const { terms, now } = standing(ctx);
      const end = Math.min(
        now.getTime() + oauth.accessTokenSeconds * 1_000,
        terms.endsAt.getTime(),
      );
      return { iat: Math.floor(now.getTime() / 1_000), exp: Math.floor(end / 1_000) };
    },
    ttl: {
      AuthorizationCode: oauth.codeSeconds,
      AccessToken: accessTokenSeconds,
      RefreshToken: left,
      Grant: grantsSayTheirEnd,
      // Longer than the longest window, so that a PSU who is too late is still redirected to the TPP.
      Interaction: (sca.windowMinutesMax + sca.windowMinutes) * 60,
      // Used within one request: none is stored and its cookie is never sent.
      Session: oauth.codeSeconds,
    },
  };
}

/** Each grant gets its expiry from its terms; one without must not be stored. */
function grantsSayTheirEnd(): never {
  throw new Error("a grant without an end");
}

export type TokenLifetimes = ReturnType<typeof tokenLifetimes>;

export type GrantPorts = Pick<
  Ports,
  "authorisations" | "consents" | "fundsConsents" | "payments" | "profile"
>;

/** What the PSU has authorised, as tokens need it. */
type GrantTerms = {
  readonly clientId: TppId;
  readonly scope: string;
  /** No token that is issued now outlives it. */
  readonly endsAt: Date;
  /** Never before `endsAt`, and later where each use of a refresh token moves that on. */
  readonly grantEndsAt: Date;
  readonly refreshable: boolean;
};

type TermsOf = (
  ports: GrantPorts,
  authorisation: Authorisation,
  now: Date,
) => Promise<GrantTerms | undefined>;

/** For a consent without an end: the grant is deleted when its consent ends. */
const LONG_AFTER_DAYS = 36_500;

const termsByKind: Readonly<Record<ResourceKind, TermsOf>> = {
  AIS: accountConsentTerms,
  PIIS: fundsConsentTerms,
  PIS: paymentTerms,
};

/**
 * The terms on which tokens may be issued now; undefined when the resource was withdrawn, has expired, was
 * refused by the bank or never authorised.
 */
export async function grantTerms(
  ports: GrantPorts,
  authorisationId: AuthorisationId,
  now: Date,
): Promise<GrantTerms | undefined> {
  const authorisation = await ports.authorisations.find(authorisationId);
  if (authorisation?.scaStatus !== "finalised") return undefined;
  const found = await termsByKind[authorisation.kind](ports, authorisation, now);
  return found === undefined || secondsToLive(found.endsAt, now) < 1 ? undefined : found;
}

/**
 * The whole seconds a token may live that must not outlive this end. One is taken off, since it lives from when it
 * is stored, which is a moment after they are counted.
 */
export function secondsToLive(end: Date, now: Date): number {
  return Math.floor((end.getTime() - now.getTime()) / 1_000) - 1;
}

async function accountConsentTerms(
  ports: GrantPorts,
  authorisation: Authorisation,
  now: Date,
): Promise<GrantTerms | undefined> {
  const found = await ports.consents.findByAuthorisation(authorisation.id);
  const consent = found && (await currentConsent(ports, found, now));
  if (consent?.status !== "valid" || consent.authorisedAt === undefined) return undefined;
  const endsAt = endOfConsent(consent, consent.authorisedAt, ports.profile);
  return {
    clientId: consent.tppId,
    scope: formatScope({ kind: "AIS", resourceId: consent.id }),
    endsAt,
    grantEndsAt: endsAt,
    // A one-off consent is over before its access token would need another (RTS art. 10a).
    refreshable: consent.recurringIndicator,
  };
}

/**
 * As long as the consent is valid. It ends only with its card, if any; a refresh token expires some time
 * after it was issued, so that an unused one does not stay active.
 */
async function fundsConsentTerms(
  ports: GrantPorts,
  authorisation: Authorisation,
  now: Date,
): Promise<GrantTerms | undefined> {
  const found = await ports.fundsConsents.findByAuthorisation(authorisation.id);
  const consent = found && (await currentFundsConsent(ports, found, now));
  if (consent?.status !== "valid") return undefined;
  const grantEndsAt =
    endOfFundsConsent(consent, ports.profile) ?? addTime(now, LONG_AFTER_DAYS, "day");
  const unused = addTime(now, ports.profile.fundsConfirmation.refreshDays, "day");
  return {
    clientId: consent.tppId,
    scope: formatScope({ kind: "PIIS", resourceId: consent.id }),
    endsAt: new Date(Math.min(unused.getTime(), grantEndsAt.getTime())),
    grantEndsAt,
    refreshable: true,
  };
}

/**
 * Long enough after the authorisation to fetch a token and to use it until it expires, whatever the status
 * of the payment. There are none for a payment that a rule of the bank has refused: the PSU returns to
 * the TPP with an error.
 */
async function paymentTerms(
  { payments, profile }: GrantPorts,
  authorisation: Authorisation,
): Promise<GrantTerms | undefined> {
  const payment = await payments.findByAuthorisation(authorisation.id);
  const accepted = payment?.psuId !== undefined && bankRefusal(payment) === undefined;
  if (payment === undefined || !accepted) return undefined;
  const endsAt = addTime(authorisation.expiresAt, profile.oauth.paymentTokenMinutes, "minute");
  return {
    clientId: payment.tppId,
    scope: formatScope({ kind: "PIS", resourceId: payment.id }),
    endsAt,
    grantEndsAt: endsAt,
    refreshable: false,
  };
}

export const SIGNING_ALGORITHM = "ES256";

type SigningKey = {
  /** The key's thumbprint (RFC 7638), by which tokens name it. */
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly privateJwk: JWK;
};
/** The first signs; a token of any of them is good until its end. */
export type SigningKeys = readonly [first: SigningKey, ...more: SigningKey[]];

/**
 * The keys that sign access tokens: private keys in PEM, one after the other, or a JWKS (RFC 7517). Throws unless there is
 * one, and each is an EC private key on P-256 that is there once.
 */
export function readSigningKeys(text: string): SigningKeys {
  const [first, ...more] = privateKeysIn(text).map(toSigningKey);
  if (first === undefined) throw new Error("there is no private key that could sign access tokens");
  // oidc-provider takes no two keys of one `kid`.
  if (new Set([first, ...more].map(({ kid }) => kid)).size <= more.length)
    throw new Error("a private key is there twice");
  return [first, ...more];
}

const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

function privateKeysIn(text: string): readonly KeyObject[] {
  if (!text.trimStart().startsWith("{")) return privateKeysInPem(text);
  const { keys } = jwks.parse(JSON.parse(text));
  return keys.map((key) => createPrivateKey({ key, format: "jwk" }));
}

function toSigningKey(key: KeyObject): SigningKey {
  const publicKey = createPublicKey(key);
  const { crv, kty, x, y, d } = key.export({ format: "jwk" });
  if (crv !== "P-256" || kty !== "EC") {
    throw new Error("the signing key of access tokens must be an EC key on P-256");
  }
  const kid = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  const privateJwk = { kid, crv, kty, x, y, d, use: "sig", alg: SIGNING_ALGORITHM } as JWK;
  return { kid, publicKey, privateJwk };
}
