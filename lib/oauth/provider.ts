import type { X509Certificate } from "node:crypto";
import type Provider from "oidc-provider";
import type { Configuration, errors, KoaContextWithOIDC } from "oidc-provider";
import { noteAccepted } from "@/lib/accepted-tpp";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import { Rejection } from "@/lib/domain/errors";
import type { RefusalLog } from "@/lib/domain/events";
import type { OidcModelStore } from "@/lib/domain/oidc-models";
import type { Ports } from "@/lib/domain/ports";
import type { Tpp } from "@/lib/domain/tpp";
import type { AuthorisationId, Clock, TppId } from "@/lib/domain/values";
import { secretsIn } from "@/lib/secrets";
import { adapterFactory, hashOf } from "./adapter";
import { clientFinder } from "./authorisation-request";
import { audienceOf, clientCertOf, type Hosts, logEvents } from "./http";
import { loadOidcProvider, type OidcProviderModule } from "./load-provider";
import {
  type AccessTokens,
  GRANT_CLAIM,
  type GrantPorts,
  grantTerms,
  refusedAttempt,
  revokeAccessTokens,
  SIGNING_ALGORITHM,
  type SigningKeys,
  type TokenLifetimes,
  tokenLifetimes,
} from "./tokens";

export type ProviderPorts = Pick<
  Ports,
  "authorisations" | "clock" | "consents" | "fundsConsents" | "payments" | "profile" | "tppRegister"
> &
  Hosts & {
    readonly models: OidcModelStore;
    readonly identifyTpp: IdentifyTpp;
    /** One, or several in a list. */
    readonly cookieSecret: string;
    readonly refusals: RefusalLog;
  };

/** oidc-provider, configured for this bank. Throws when it was bundled. */
export async function createProvider(
  ports: ProviderPorts,
  { keys, tokens }: { readonly keys: SigningKeys; readonly tokens: AccessTokens },
): Promise<Provider> {
  const library = await loadOidcProvider();
  const certificates = tppCertificates(ports);
  const provider = new library.Provider(
    ports.issuer,
    providerSettings({ ports, keys, library, certificates, provider: () => provider }),
  );
  // When it is bundled, its classes lose their names, and codes, grants and tokens would share one model name.
  if (provider.AccessToken.name !== "AccessToken") {
    throw new Error("oidc-provider is bundled; it must be in serverExternalPackages");
  }
  // `callProvider` alone sets X-Forwarded-Proto; a caller's headers are not passed on.
  provider.proxy = true;
  logEvents(provider, ports.refusals);
  describeRefusals(provider, ports.profile);
  provider.use(certificates.identify);
  provider.use(revokeGrantOnFailedCode(provider, ports.models));
  provider.use(revokeAccessTokens(tokens, ports.models));
  return provider;
}

type Setup = {
  readonly ports: ProviderPorts;
  readonly keys: SigningKeys;
  readonly library: OidcProviderModule;
  readonly certificates: TppCertificates;
  readonly provider: () => Provider;
};

function providerSettings(setup: Setup): Configuration {
  const { ports, keys, library, provider } = setup;
  const lifetimes = tokenLifetimes(ports.profile);
  const parameters = () => {
    const oidc = library.Provider.ctx?.oidc;
    return oidc?.route === "authorization" ? oidc.params : undefined;
  };
  return {
    adapter: adapterFactory({ ...ports, findClient: clientFinder(ports, parameters) }, library),
    jwks: { keys: keys.map(({ privateJwk }) => privateJwk) },
    cookies: { keys: [...secretsIn(ports.cookieSecret)], long: cookie, short: cookie },
    clientAuthMethods: ["tls_client_auth"],
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    responseTypes: ["code"],
    scopes: [],
    pkce: { required: () => true },
    // Otherwise a client's only redirect URI would be used where a request has none.
    allowOmittingSingleRegisteredRedirectUri: false,
    interactions: { url: (_ctx, { uid }) => `${ports.webUrl}/authorise/${uid}` },
    features: features(setup),
    // `http.ts` writes the page or the JSON; all it needs is the status.
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    ...grantSettings({ ports, library, lifetimes, provider }),
  };
}

const cookie = { httpOnly: true, sameSite: "lax", signed: true, overwrite: true } as const;

function features({ ports, keys: [key], certificates }: Setup): Configuration["features"] {
  const off = { enabled: false } as const;
  return {
    claimsParameter: off,
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    registration: off,
    requestObjects: off,
    rpInitiatedLogout: off,
    userinfo: off,
    // Not an error either: another client's token is answered like an unknown one.
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    mTLS: {
      enabled: true,
      tlsClientAuth: true,
      certificateBoundAccessTokens: true,
      getCertificate: certificates.certificateOf,
      certificateAuthorized: certificates.isPresented,
      certificateSubjectMatches: (ctx) => certificates.belongsTo(ctx, ctx.oidc.client?.clientId),
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audienceOf(ports),
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx) => ({
        audience: audienceOf(ports),
        scope: grantedScope(ctx),
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: SIGNING_ALGORITHM, kid: key.kid } },
      }),
    },
  };
}

/** At the token endpoint the request has no scope: it is the code's or the refresh token's. */
function grantedScope({ oidc }: KoaContextWithOIDC): string {
  const source = oidc.authorizationCode ?? oidc.refreshToken;
  const scope = source === undefined ? oidc.params?.["scope"] : source.scope;
  if (typeof scope !== "string" || scope === "") throw new Error("a grant without a scope");
  return scope;
}

type Granting = {
  readonly ports: GrantPorts & { readonly clock: Clock };
  readonly library: OidcProviderModule;
  readonly lifetimes: TokenLifetimes;
  /** A function, since the provider is made from these settings. */
  readonly provider: () => Provider;
};

/** The settings that decide what is issued, for how long, and on which grant. */
function grantSettings({ ports, library, lifetimes, provider }: Granting) {
  return {
    ttl: lifetimes.ttl,
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    issueRefreshToken: async (ctx) => lifetimes.standing(ctx).terms.refreshable,

    /** One grant per authorisation: what an earlier one allowed is never added to a later one. */
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : provider().Grant.find(grantId);
    },

    /** The account is the authorisation, a pseudonym of the PSU; without terms there is none. */
    findAccount: async (ctx, accountId) => {
      const now = await ports.clock.now(ctx.oidc.client?.clientId as TppId | undefined);
      const terms = await grantTerms(ports, accountId as AuthorisationId, now);
      if (terms !== undefined) {
        lifetimes.remember(ctx, { terms, now });
        return { accountId, claims: () => ({ sub: accountId }) };
      }
      if (ctx.oidc.route === "resume") throw new library.errors.AccessDenied();
      return undefined;
    },

    formats: {
      customizers: {
        jwt: (ctx, token, { payload }) => {
          const grantId = "grantId" in token ? token.grantId : undefined;
          if (grantId === undefined) throw new Error("a token without a grant");
          Object.assign(payload, lifetimes.claims(ctx), { [GRANT_CLAIM]: hashOf(grantId) });
        },
      },
    },
  } satisfies Configuration;
}

/** A QWAC that has passed all checks. */
type PresentedQwac = { readonly tpp: Tpp; readonly certificate: X509Certificate };

/**
 * Checks the `Client-Cert` header (RFC 9440). Rejects with a Rejection for anything but a valid QWAC, and
 * with 429 for one whose TPP sends too many requests.
 */
type IdentifyTpp = (clientCert: string | undefined, now: Date) => Promise<PresentedQwac>;

type Middleware = Parameters<Provider["use"]>[0];
type Context = { readonly req: object };

const NEED_CERTIFICATE: readonly string[] = ["/token", "/token/revocation"];

type CertificatePorts = Pick<ProviderPorts, "identifyTpp" | "clock" | "refusals">;

/**
 * Mutual TLS client authentication (RFC 8705): the certificate names the client. This step is
 * first, before any lookup, and its answer has the form of RFC 6749 5.2.
 */
function tppCertificates({ identifyTpp, clock, refusals }: CertificatePorts) {
  const presented = new WeakMap<object, PresentedQwac>();

  const identify: Middleware = async (ctx, next) => {
    if (!NEED_CERTIFICATE.includes(ctx.path)) return next();
    const clientCert = clientCertOf(ctx.req);
    try {
      const qwac = await identifyTpp(clientCert, await clock.now());
      presented.set(ctx.req, qwac);
      noteAccepted(ctx.req, qwac.tpp);
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      refusals.note({ error, certificate: clientCert });
      const tooMany = error.status === 429;
      ctx.status = tooMany ? 429 : 401;
      ctx.set(error.headers);
      // RFC 6749 5.2 has no code for it; this one says the same to an authorisation request (4.1.2.1).
      const code = tooMany ? "temporarily_unavailable" : "invalid_client";
      ctx.body = { error: code, error_description: error.faults[0].text };
      return undefined;
    }
    return next();
  };

  return {
    identify,
    certificateOf: ({ req }: Context) => presented.get(req)?.certificate,
    isPresented: ({ req }: Context) => presented.has(req),
    belongsTo: ({ req }: Context, clientId: string | undefined) =>
      clientId !== undefined && presented.get(req)?.tpp.id === clientId,
  };
}

type TppCertificates = ReturnType<typeof tppCertificates>;

/**
 * A code can be tried once. oidc-provider keeps it after a wrong verifier or redirect_uri, and so lets a
 * thief guess for a minute; here a client's failed attempt revokes the whole grant (RFC 9700 4.5).
 * Another client's attempt revokes nothing; otherwise any client could end any grant.
 */
function revokeGrantOnFailedCode(provider: Provider, models: OidcModelStore): Middleware {
  return async (ctx, next) => {
    await next();
    const tried = refusedAttempt(ctx, "/token", "invalid_grant", "code");
    if (tried === undefined) return;
    const code = await provider.AuthorizationCode.find(tried.value, { ignoreExpiration: true });
    if (code?.grantId === undefined || code.clientId !== tried.clientId) return;
    await models.revokeByGrant(code.grantId);
  };
}

/**
 * The library describes every refused grant with the same text and emits the cause only in its event. The
 * caller has presented a trusted certificate by then and gets the cause. Another client's code or token is
 * described like an unknown one, and no value that was sent is repeated.
 */
function describeRefusals(provider: Provider, { oauth }: AspspProfile): void {
  const describe = (ctx: KoaContextWithOIDC, refusal: errors.OIDCProviderError) => {
    const description = descriptionOf(refusal, oauth.codeSeconds);
    if (description !== undefined) {
      ctx.body = { error: refusal.error, error_description: description };
    }
  };
  provider.on("grant.error", describe);
  provider.on("revocation.error", describe);
}

function descriptionOf(
  { error, error_description: given, error_detail: detail = "none" }: errors.OIDCProviderError,
  codeSeconds: number,
): string | undefined {
  if (given === "no client authentication mechanism provided") return "client_id is missing";
  if (error === "invalid_client") {
    return "client_id must be the organizationIdentifier of the client certificate";
  }
  if (error !== "invalid_grant") return undefined;
  if (detail.includes("code_verifier")) {
    return "code_verifier does not match the code_challenge of the authorisation request; the code has ended";
  }
  if (detail.includes("redirect_uri")) {
    return "redirect_uri is not that of the authorisation request; the code has ended";
  }
  if (detail.includes("x5t#S256")) return "the refresh token is bound to another certificate";
  return `the code or refresh token is not known to be this client's: a code is good once and for ${codeSeconds} seconds, a refresh token until the next one is used or its consent ends`;
}
