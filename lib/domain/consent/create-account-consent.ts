import { newAuthorisationId, newConsentId, type RequestId } from "../identifiers";
import { dayIn, type IsoDate } from "../iso-date";
import type { Ports } from "../ports";
import type { WayBack } from "../sca/authorisation";
import { startedAuthorisation } from "../sca/started-authorisation";
import { meetTpp } from "../tpp/meet-tpp";
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
  /** As this bank had it on record when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly requestId: RequestId;
  readonly request: AccountConsentRequest;
  readonly wayBack: WayBack;
  readonly loginHint?: string | undefined;
  readonly now: Date;
};

/**
 * Keeps the consent, not yet authorised, and starts its authorisation implicitly. The TPP becomes
 * known to the OAuth server by this call: there is no other registration. Rejects with 400
 * FORMAT_ERROR when the request id has been used, be it by mistake or by somebody who replays it.
 */
export async function createAccountConsent(
  ports: Pick<Ports, "consents" | "tppRegister" | "profile">,
  asked: Asked,
): Promise<{ readonly consent: AccountConsent; readonly shortened: boolean }> {
  const { tpp, requestId, request, wayBack, loginHint, now } = asked;
  const today = dayIn(ports.profile.timeZone, now);
  const { validUntil, shortened } = settleValidUntil(request, today, ports.profile);
  const consent: AccountConsent = {
    id: newConsentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    requestedAccess: request.requestedAccess,
    access: request.access,
    recurringIndicator: request.recurringIndicator,
    validUntil,
    frequencyPerDay: request.frequencyPerDay,
    createdAt: now,
    lastActionDate: today,
    grantedAccounts: [],
  };
  await meetTpp(ports, asked);
  const authorisation = startedAuthorisation(ports, {
    id: consent.authorisationId,
    kind: "AIS",
    resourceId: consent.id,
    tppId: tpp.id,
    requestId,
    wayBack,
    loginHint,
    createdAt: now,
  });
  if (!(await ports.consents.insert(consent, authorisation))) throw usedRequestId();
  return { consent, shortened };
}
