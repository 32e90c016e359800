import { after } from "../clock";
import { newAuthorisationId, newConsentId } from "../identifiers";
import { dayIn, type IsoDate } from "../iso-date";
import type { Ports } from "../ports";
import type { WayBack } from "../sca/authorisation";
import type { Tpp } from "../tpp/tpp";
import type { AccessRequest } from "./access-request";
import type { AccountConsent } from "./account-consent";
import { settleValidUntil } from "./validity-period";

export type AccountConsentRequest = {
  readonly requestedAccess: unknown;
  readonly access: AccessRequest;
  readonly recurringIndicator: boolean;
  readonly validUntil: IsoDate;
  readonly frequencyPerDay: number;
};

type Asked = {
  readonly tpp: Tpp;
  readonly request: AccountConsentRequest;
  readonly wayBack: WayBack;
  readonly loginHint?: string;
  readonly now: Date;
};

/**
 * Keeps the consent, not yet authorised, and starts its authorisation implicitly. The TPP becomes
 * known to the OAuth server by this call: there is no other registration.
 */
export async function createAccountConsent(
  ports: Pick<Ports, "consents" | "tppRegister" | "profile">,
  { tpp, request, wayBack, loginHint, now }: Asked,
): Promise<{ readonly consent: AccountConsent; readonly shortened: boolean }> {
  const today = dayIn(ports.profile.timeZone, now);
  const { validUntil, shortened } = settleValidUntil(request, today, ports.profile);
  const consent: AccountConsent = {
    ...request,
    id: newConsentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    validUntil,
    createdAt: now,
    lastActionDate: today,
    grantedAccounts: [],
  };
  await ports.tppRegister.remember(tpp, now);
  await ports.consents.insert(consent, {
    id: consent.authorisationId,
    kind: "AIS",
    resourceId: consent.id,
    tppId: tpp.id,
    scaStatus: "received",
    wayBack,
    ...(loginHint === undefined ? {} : { loginHint }),
    failedAttempts: 0,
    selection: [],
    codesSent: 0,
    createdAt: now,
    expiresAt: after(now, ports.profile.sca.windowMinutes, "minute"),
  });
  return { consent, shortened };
}
