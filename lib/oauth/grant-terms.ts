import { currentConsent } from "@/lib/domain/consent/current-consent";
import { endOfConsent } from "@/lib/domain/consent/validity-period";
import type { AuthorisationId, TppId } from "@/lib/domain/identifiers";
import type { Ports } from "@/lib/domain/ports";
import { formatScope } from "./scope";

export type GrantPorts = Pick<Ports, "authorisations" | "consents" | "profile">;

/** What the PSU has authorised, as far as tokens go. */
export type GrantTerms = {
  readonly clientId: TppId;
  readonly scope: string;
  /** No token outlives it. */
  readonly endsAt: Date;
  readonly refreshable: boolean;
};

/**
 * The terms on which tokens may be issued now; undefined when there is nothing to stand on, be it
 * withdrawn, run out or never given. Payments and fund consents have no terms yet, so they get no
 * tokens.
 */
export async function grantTerms(
  ports: GrantPorts,
  authorisationId: AuthorisationId,
  now: Date,
): Promise<GrantTerms | undefined> {
  const found = await ports.consents.findByAuthorisation(authorisationId);
  const consent = found && (await currentConsent(ports, found, now));
  if (consent?.status !== "valid" || consent.authorisedAt === undefined) return undefined;
  const endsAt = endOfConsent(consent, consent.authorisedAt, ports.profile);
  if (secondsUntil(endsAt, now) < 1) return undefined;
  return {
    clientId: consent.tppId,
    scope: formatScope({ kind: "AIS", resourceId: consent.id }),
    endsAt,
    // A one-off consent is over before its access token would need another (RTS art. 10a).
    refreshable: consent.recurringIndicator,
  };
}

/** Whole seconds, rounded down: a token ends a moment early rather than late. */
export function secondsUntil(end: Date, now: Date): number {
  return Math.floor((end.getTime() - now.getTime()) / 1_000);
}
