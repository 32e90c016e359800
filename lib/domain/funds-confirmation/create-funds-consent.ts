import { usedRequestId } from "../consent/used-request-id";
import { newAuthorisationId, newConsentId, type RequestId } from "../identifiers";
import type { Ports } from "../ports";
import type { WayBack } from "../sca/authorisation";
import { startedAuthorisation } from "../sca/started-authorisation";
import { meetTpp } from "../tpp/meet-tpp";
import type { Tpp } from "../tpp/tpp";
import type { FundsConsent, FundsConsentRequest } from "./funds-consent";

type Asked = {
  readonly tpp: Tpp;
  /** As this bank had it on record when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly requestId: RequestId;
  readonly request: FundsConsentRequest;
  readonly wayBack: WayBack;
  readonly loginHint?: string | undefined;
  readonly now: Date;
};

/**
 * Keeps the consent, not yet authorised, and starts its authorisation. Several may live beside each
 * other, one for each card. Rejects with 400 FORMAT_ERROR when the request id has been used.
 */
export async function createFundsConsent(
  ports: Pick<Ports, "fundsConsents" | "tppRegister" | "profile">,
  asked: Asked,
): Promise<FundsConsent> {
  const { tpp, requestId, request, wayBack, loginHint, now } = asked;
  const consent: FundsConsent = {
    ...request,
    id: newConsentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    status: "received",
    createdAt: now,
  };
  const authorisation = startedAuthorisation(ports, {
    id: consent.authorisationId,
    kind: "PIIS",
    resourceId: consent.id,
    tppId: tpp.id,
    requestId,
    wayBack,
    loginHint,
    createdAt: now,
  });
  await meetTpp(ports, asked);
  if (!(await ports.fundsConsents.insert(consent, authorisation))) throw usedRequestId();
  return consent;
}
