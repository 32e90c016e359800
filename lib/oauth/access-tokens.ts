import { createHash } from "node:crypto";
import { jwtVerify } from "jose";
import { JOSEError } from "jose/errors";
import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { AuthorisationId, TppId } from "@/lib/domain/identifiers";
import { recall } from "@/lib/eidas/bounded-cache";
import { hashOf, type OidcModelStore } from "./oidc-model-store";
import { SIGNING_ALGORITHM, type SigningKey } from "./signing-key";

/** What an access token of this bank says; whether it still counts is for the reader to judge. */
export type AccessToken = {
  readonly clientId: TppId;
  /** One resource, e.g. `AIS:<consentId>`. */
  readonly scope: string;
  readonly authorisationId: AuthorisationId;
  readonly expiresAt: Date;
  /** base64url of the SHA-256 of the certificate it was issued to (RFC 8705 3.1). */
  readonly thumbprint: string;
  /** Of the grant that it stands on, and its own: as the store has their hashes. */
  readonly grantHash: string;
  readonly hash: string;
};

export type AccessTokens = {
  /**
   * The token's content if this bank signed it for its own interface, expired or not: a reader has
   * to tell an expired token from an unknown one.
   */
  readonly read: (token: string) => Promise<AccessToken | undefined>;
};

/** Ours: the hash of the grant that the token stands on, and with which it ends. */
export const GRANT_CLAIM = "grant";

/** Some megabytes; a token that is forgotten is verified once more. */
const REMEMBERED_MAX = 10_000;

/**
 * What is genuine stays so: its content is remembered, and whether it still counts is asked each time
 * elsewhere. What is not is forgotten at once, so that nobody can fill the memory with it.
 */
export function accessTokens(
  { publicKey }: Pick<SigningKey, "publicKey">,
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
  const verified = async (token: string): Promise<AccessToken | undefined> => {
    try {
      return fromClaims((await jwtVerify(token, publicKey, rules)).payload);
    } catch (error) {
      if (error instanceof JOSEError) return undefined;
      throw error;
    }
  };
  const genuine = new Map<string, AccessToken>();
  return {
    read: async (token) => {
      // No copy is kept of what opens accounts.
      const key = createHash("sha256").update(token).digest("base64");
      const read = genuine.get(key) ?? (await verified(token));
      return read && recall(genuine, key, REMEMBERED_MAX, () => read);
    },
  };
}

function fromClaims(claims: Readonly<Record<string, unknown>>): AccessToken | undefined {
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
 * RFC 7009 for access tokens. The library keeps none that is a JWT and refuses to revoke it, once it has
 * authenticated the client; here its hash is kept until it would have ended, and readers ask for that.
 * What is not the client's own, or no token at all, is answered alike and changes nothing.
 */
export function revokeAccessTokens(tokens: AccessTokens, models: OidcModelStore): Middleware {
  return async (ctx, next) => {
    await next();
    const asked = refusedForItsForm(ctx);
    if (asked === undefined) return;
    const token = await tokens.read(asked.token);
    if (token !== undefined && token.clientId === asked.clientId) {
      const { hash, expiresAt, authorisationId: accountId } = token;
      await models.upsert("RevokedAccessToken", hash, {}, expiresAt, { accountId });
    }
    ctx.status = 200;
    ctx.body = "";
  };
}

function refusedForItsForm(ctx: {
  readonly path: string;
  readonly body: unknown;
  readonly oidc?: KoaContextWithOIDC["oidc"];
}): { readonly token: string; readonly clientId: string } | undefined {
  const { body, oidc } = ctx;
  const refused = typeof body === "object" && body !== null && "error" in body && body.error;
  if (ctx.path !== "/token/revocation" || refused !== "unsupported_token_type") return undefined;
  const token = oidc?.params?.["token"];
  const clientId = oidc?.client?.clientId;
  return typeof token === "string" && clientId !== undefined ? { token, clientId } : undefined;
}
