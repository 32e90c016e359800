import { usedRequestId } from "../consent/used-request-id";
import { newAuthorisationId, newConsentId, type RequestId } from "../identifiers";
import type { Ports } from "../ports";
import type { WayBack } from "../sca/authorisation";
import { startedAuthorisation } from "../sca/started-authorisation";
import type { Tpp } from "../tpp/tpp";
import type { FundsConsent, FundsConsentRequest } from "./funds-consent";

type Asked = {
  readonly tpp: Tpp;
  readonly requestId: RequestId;
  readonly request: FundsConsentRequest;
  readonly wayBack: WayBack;
  readonly loginHint?: string;
  readonly now: Date;
};

/**
 * Keeps the consent, not yet authorised, and starts its authorisation. Several may live beside each
 * other, one for each card. Rejects with 400 FORMAT_ERROR when the request id has been used.
 */
export async function createFundsConsent(
  ports: Pick<Ports, "fundsConsents" | "tppRegister" | "profile">,
  { tpp, requestId, request, wayBack, loginHint, now }: Asked,
): Promise<FundsConsent> {
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
    ...(loginHint !== undefined && { loginHint }),
    createdAt: now,
  });
  await ports.tppRegister.remember(tpp, now);
  if (!(await ports.fundsConsents.insert(consent, authorisation))) throw usedRequestId();
  return consent;
}
