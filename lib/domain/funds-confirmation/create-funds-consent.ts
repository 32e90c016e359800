import { type ConsentAsked, usedRequestId } from "../consent/used-request-id";
import { newAuthorisationId, newConsentId } from "../identifiers";
import type { Ports } from "../ports";
import { startedAuthorisation, tooManyOpen } from "../sca/started-authorisation";
import { meetTpp } from "../tpp/meet-tpp";
import type { Tpp } from "../tpp/tpp";
import type { FundsConsent, FundsConsentRequest } from "./funds-consent";
import { fundsConsentOfSameRequest } from "./read-funds-consent";

type Asked = ConsentAsked & {
  /** As this bank had it on record when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly request: FundsConsentRequest;
};

type ConsentPorts = Pick<Ports, "fundsConsents" | "authorisations" | "tppRegister" | "profile">;

/**
 * Keeps the consent, not yet authorised, and starts its authorisation. Several may live beside each
 * other, one for each card. The same request again makes nothing and yields the same consent. Rejects
 * with 400 FORMAT_ERROR when the request id has been used for another one, and with 429 ACCESS_EXCEEDED
 * when too many of the TPP's authorisations are open.
 */
export async function createFundsConsent(ports: ConsentPorts, asked: Asked): Promise<FundsConsent> {
  const { tpp, requestId, bodyDigest, request, wayBack, loginHint, now } = asked;
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
    bodyDigest,
    wayBack,
    loginHint,
    createdAt: now,
  });
  await meetTpp(ports, asked);
  const { openPerTppMax } = ports.profile.sca;
  const start = await ports.fundsConsents.insert(consent, authorisation, openPerTppMax);
  if (start === "kept") return consent;
  if (start === "full") throw tooManyOpen(ports);
  const first = await fundsConsentOfSameRequest(ports, asked);
  if (first === undefined) throw usedRequestId();
  return first;
}
