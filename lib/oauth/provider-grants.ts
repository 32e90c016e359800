import type Provider from "oidc-provider";
import type { Configuration } from "oidc-provider";
import type { Clock } from "@/lib/domain/clock";
import type { AuthorisationId } from "@/lib/domain/identifiers";
import { GRANT_CLAIM } from "./access-tokens";
import { type GrantPorts, grantTerms } from "./grant-terms";
import type { OidcProviderModule } from "./load-provider";
import { hashOf } from "./oidc-model-store";
import type { TokenLifetimes } from "./token-lifetimes";

type Granting = {
  readonly ports: GrantPorts & { readonly clock: Clock };
  readonly library: OidcProviderModule;
  readonly lifetimes: TokenLifetimes;
  /** A function, since the provider is made from these settings. */
  readonly provider: () => Provider;
};

/** The settings that decide what is issued, for how long, and on what it stands. */
export function grantSettings({ ports, library, lifetimes, provider }: Granting) {
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
      const now = await ports.clock.now();
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
