import type Provider from "oidc-provider";
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import { adapterFactory } from "./adapter";
import type { OidcProviderModule } from "./load-provider";
import { audienceOf } from "./metadata";
import type { ProviderPorts } from "./provider";
import { grantSettings } from "./provider-grants";
import { SIGNING_ALGORITHM, type SigningKey } from "./signing-key";
import { tokenLifetimes } from "./token-lifetimes";
import type { TppCertificates } from "./tpp-certificate";
import { clientFinder } from "./tpp-client";

type Setup = {
  readonly ports: ProviderPorts;
  readonly key: SigningKey;
  readonly library: OidcProviderModule;
  readonly certificates: TppCertificates;
  readonly provider: () => Provider;
};

/** The library's settings for this bank. */
export function providerSettings(setup: Setup): Configuration {
  const { ports, key, library, provider } = setup;
  const lifetimes = tokenLifetimes(ports.profile);
  const parameters = () => {
    const oidc = library.Provider.ctx?.oidc;
    return oidc?.route === "authorization" ? oidc.params : undefined;
  };
  return {
    adapter: adapterFactory({ ...ports, findClient: clientFinder(ports, parameters) }, library),
    jwks: { keys: [key.privateJwk] },
    cookies: { keys: [ports.cookieSecret], long: cookie, short: cookie },
    clientAuthMethods: ["tls_client_auth"],
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    responseTypes: ["code"],
    scopes: [],
    pkce: { required: () => true },
    // The one redirect URI of a client would be filled in where a request has none.
    allowOmittingSingleRegisteredRedirectUri: false,
    interactions: { url: (_ctx, { uid }) => `${ports.webUrl}/authorise/${uid}` },
    features: features(setup),
    // The bridge writes the page or the JSON; all it needs is the status.
    renderError: (ctx, out) => {
      ctx.body = out;
    },
    ...grantSettings({ ports, library, lifetimes, provider }),
  };
}

const cookie = { httpOnly: true, sameSite: "lax", signed: true, overwrite: true } as const;

function features({ ports, certificates }: Setup): Configuration["features"] {
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
        jwt: { sign: { alg: SIGNING_ALGORITHM } },
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
