import { newAuthorisationId, newConsentId } from "../identifiers";
import { dayIn, type IsoDate } from "../iso-date";
import type { Ports } from "../ports";
import { startedAuthorisation, tooManyOpen } from "../sca/started-authorisation";
import { meetTpp } from "../tpp/meet-tpp";
import type { Tpp } from "../tpp/tpp";
import type { AccessRequest } from "./access-request";
import type { AccountConsent } from "./account-consent";
import { consentOfSameRequest } from "./read-account-consent";
import { type ConsentAsked, usedRequestId } from "./used-request-id";
import { settleValidUntil } from "./validity-period";

export type AccountConsentRequest = {
  readonly requestedAccess: unknown;
  readonly access: AccessRequest;
  readonly recurringIndicator: boolean;
  readonly validUntil: IsoDate;
  readonly frequencyPerDay: number;
};

type Asked = ConsentAsked & {
  /** As this bank had it on record when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly request: AccountConsentRequest;
};

type ConsentPorts = Pick<Ports, "consents" | "authorisations" | "tppRegister" | "profile">;

/**
 * Keeps the consent, not yet authorised, and starts its authorisation implicitly. The TPP becomes
 * known to the OAuth server by this call: there is no other registration. The same request again makes
 * nothing and yields the same consent. Rejects with 400 FORMAT_ERROR when the request id has been used
 * for another one, and with 429 ACCESS_EXCEEDED when too many of the TPP's authorisations are open.
 */
export async function createAccountConsent(
  ports: ConsentPorts,
  asked: Asked,
): Promise<{ readonly consent: AccountConsent; readonly shortened: boolean }> {
  const { tpp, requestId, bodyDigest, request, wayBack, loginHint, now } = asked;
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
    bodyDigest,
    wayBack,
    loginHint,
    createdAt: now,
  });
  const { openPerTppMax } = ports.profile.sca;
  const start = await ports.consents.insert(consent, authorisation, openPerTppMax);
  if (start === "kept") return { consent, shortened };
  if (start === "full") throw tooManyOpen(ports);
  const first = await consentOfSameRequest(ports, asked);
  if (first === undefined) throw usedRequestId();
  return { consent: first, shortened };
}
