import { after } from "@/lib/domain/clock";
import {
  currentFundsConsent,
  endOfFundsConsent,
} from "@/lib/domain/funds-confirmation/current-funds-consent";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { GrantPorts, GrantTerms } from "../grant-terms";
import { formatScope } from "../scope";

/** Of a consent without an end. The grant goes when its consent is ended, however long that is. */
const LONG_AFTER_DAYS = 36_500;

/**
 * As long as the consent is valid. That has no end but its card's, if any: a refresh token lives for
 * some time after it was issued, so that one which nobody uses any more does end.
 */
export async function fundsConsentTerms(
  ports: GrantPorts,
  authorisation: Authorisation,
  now: Date,
): Promise<GrantTerms | undefined> {
  const found = await ports.fundsConsents.findByAuthorisation(authorisation.id);
  const consent = found && (await currentFundsConsent(ports, found, now));
  if (consent?.status !== "valid") return undefined;
  const grantEndsAt =
    endOfFundsConsent(consent, ports.profile) ?? after(now, LONG_AFTER_DAYS, "day");
  const unused = after(now, ports.profile.fundsConfirmation.refreshDays, "day");
  return {
    clientId: consent.tppId,
    scope: formatScope({ kind: "PIIS", resourceId: consent.id }),
    endsAt: new Date(Math.min(unused.getTime(), grantEndsAt.getTime())),
    grantEndsAt,
    refreshable: true,
  };
}
