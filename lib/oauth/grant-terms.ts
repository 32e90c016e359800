import type { AuthorisationId, TppId } from "@/lib/domain/identifiers";
import type { Ports } from "@/lib/domain/ports";
import type { Authorisation, ResourceKind } from "@/lib/domain/sca/authorisation";
import { accountConsentTerms } from "./terms/account-consent-terms";
import { fundsConsentTerms } from "./terms/funds-consent-terms";
import { paymentTerms } from "./terms/payment-terms";

export type GrantPorts = Pick<
  Ports,
  "authorisations" | "consents" | "fundsConsents" | "payments" | "profile"
>;

/** What the PSU has authorised, as far as tokens go. */
export type GrantTerms = {
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

const terms: Readonly<Record<ResourceKind, TermsOf>> = {
  AIS: accountConsentTerms,
  PIIS: fundsConsentTerms,
  PIS: paymentTerms,
};

/**
 * The terms on which tokens may be issued now; undefined when there is nothing to stand on, be it
 * withdrawn, run out, refused by the bank or never given.
 */
export async function grantTerms(
  ports: GrantPorts,
  authorisationId: AuthorisationId,
  now: Date,
): Promise<GrantTerms | undefined> {
  const authorisation = await ports.authorisations.find(authorisationId);
  if (authorisation?.scaStatus !== "finalised") return undefined;
  const found = await terms[authorisation.kind](ports, authorisation, now);
  return found === undefined || secondsUntil(found.endsAt, now) < 1 ? undefined : found;
}

/** Whole seconds, rounded down: a token ends a moment early rather than late. */
export function secondsUntil(end: Date, now: Date): number {
  return Math.floor((end.getTime() - now.getTime()) / 1_000);
}
