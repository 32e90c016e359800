import { currentConsent } from "@/lib/domain/consent/current-consent";
import { endOfConsent } from "@/lib/domain/consent/validity-period";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { GrantPorts, GrantTerms } from "../grant-terms";
import { formatScope } from "../scope";

/** As long as the consent is valid, whatever the tokens say. */
export async function accountConsentTerms(
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
