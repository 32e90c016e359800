import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { OidcModelStore } from "./oidc-model-store";

type Middleware = Parameters<Provider["use"]>[0];

/**
 * A code is good for one try. oidc-provider keeps it after a wrong verifier or redirect_uri, and so
 * lets a thief guess for a minute; here a client's failed try ends the whole grant (RFC 9700 4.5).
 * Another client's try ends nothing, or anybody could.
 */
export function spoilFailedCode(provider: Provider, models: OidcModelStore): Middleware {
  return async (ctx, next) => {
    await next();
    const tried = failedCode(ctx);
    if (tried === undefined) return;
    const code = await provider.AuthorizationCode.find(tried.code, { ignoreExpiration: true });
    if (code?.grantId === undefined || code.clientId !== tried.clientId) return;
    await models.revokeByGrant(code.grantId);
  };
}

function failedCode(ctx: {
  readonly path: string;
  readonly body: unknown;
  readonly oidc?: KoaContextWithOIDC["oidc"];
}): { readonly code: string; readonly clientId: string } | undefined {
  const { body, oidc } = ctx;
  const refused = typeof body === "object" && body !== null && "error" in body && body.error;
  if (ctx.path !== "/token" || refused !== "invalid_grant") return undefined;
  const code = oidc?.params?.["code"];
  const clientId = oidc?.client?.clientId;
  return typeof code === "string" && clientId !== undefined ? { code, clientId } : undefined;
}
