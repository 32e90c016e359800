import type { KoaContextWithOIDC } from "oidc-provider";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import { type GrantTerms, secondsUntil } from "./grant-terms";

/** The terms of the grant that a request stands on, and the instant they were looked at. */
type Standing = { readonly terms: GrantTerms; readonly now: Date };

/**
 * oidc-provider asks for lifetimes without waiting, so the terms are looked up where it does wait
 * (when it loads the account) and remembered for this one request.
 */
export function tokenLifetimes({ oauth, sca }: AspspProfile) {
  const standings = new WeakMap<object, Standing>();

  const standing = (ctx: KoaContextWithOIDC): Standing => {
    const found = standings.get(ctx);
    if (found === undefined)
      throw new Error("a token was to be issued without looking at its grant");
    return found;
  };
  const left = (ctx: KoaContextWithOIDC): number => {
    const { terms, now } = standing(ctx);
    return secondsUntil(terms.endsAt, now);
  };
  const accessTokenSeconds = (ctx: KoaContextWithOIDC): number =>
    Math.min(oauth.accessTokenSeconds, left(ctx));

  return {
    remember: (ctx: KoaContextWithOIDC, found: Standing) => standings.set(ctx, found),
    standing,
    /**
     * What an access token says of itself, by the bank's clock. One that ends with its consent ends
     * in the same second: two roundings would take up to two of the ten minutes' seconds.
     */
    claims: (ctx: KoaContextWithOIDC) => {
      const { terms, now } = standing(ctx);
      const end = Math.min(
        now.getTime() + oauth.accessTokenSeconds * 1_000,
        terms.endsAt.getTime(),
      );
      return { iat: Math.floor(now.getTime() / 1_000), exp: Math.floor(end / 1_000) };
    },
    /** In seconds. */
    ttl: {
      AuthorizationCode: oauth.codeSeconds,
      AccessToken: accessTokenSeconds,
      RefreshToken: left,
      Grant: grantsSayTheirEnd,
      // Longer than the longest window, so that a PSU who comes too late is still led back to the TPP.
      Interaction: (sca.windowMinutesMax + sca.windowMinutes) * 60,
      // Lives within one request: none is stored and its cookie never leaves the house.
      Session: oauth.codeSeconds,
    },
  };
}

/** Each grant is given its end with its terms; one without must not be kept. */
function grantsSayTheirEnd(): never {
  throw new Error("a grant without an end");
}

export type TokenLifetimes = ReturnType<typeof tokenLifetimes>;
