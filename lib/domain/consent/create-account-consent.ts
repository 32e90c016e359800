import { newAuthorisationId, newConsentId, type RequestId } from "../identifiers";
import { dayIn, type IsoDate } from "../iso-date";
import type { Ports } from "../ports";
import type { WayBack } from "../sca/authorisation";
import { startedAuthorisation } from "../sca/started-authorisation";
import type { Tpp } from "../tpp/tpp";
import type { AccessRequest } from "./access-request";
import type { AccountConsent } from "./account-consent";
import { usedRequestId } from "./used-request-id";
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
  readonly requestId: RequestId;
  readonly request: AccountConsentRequest;
  readonly wayBack: WayBack;
  readonly loginHint?: string;
  readonly now: Date;
};

/**
 * Keeps the consent, not yet authorised, and starts its authorisation implicitly. The TPP becomes
 * known to the OAuth server by this call: there is no other registration. Rejects with 400
 * FORMAT_ERROR when the request id has been used, be it by mistake or by somebody who replays it.
 */
export async function createAccountConsent(
  ports: Pick<Ports, "consents" | "tppRegister" | "profile">,
  { tpp, requestId, request, wayBack, loginHint, now }: Asked,
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
  const authorisation = startedAuthorisation(ports, {
    id: consent.authorisationId,
    kind: "AIS",
    resourceId: consent.id,
    tppId: tpp.id,
    requestId,
    wayBack,
    ...(loginHint !== undefined && { loginHint }),
    createdAt: now,
  });
  if (!(await ports.consents.insert(consent, authorisation))) throw usedRequestId();
  return { consent, shortened };
}
