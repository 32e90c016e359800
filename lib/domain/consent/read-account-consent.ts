import type { AuthorisationId, ConsentId, TppId } from "../identifiers";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { Authorisation } from "../sca/authorisation";
import type { AccountConsent } from "./account-consent";
import { currentConsent } from "./current-consent";
import { type ConsentAsked, startedBefore } from "./used-request-id";

type ConsentPorts = Pick<Ports, "consents" | "authorisations" | "profile">;

/** Whose consent, and which. */
export type ConsentOfTpp = { readonly id: ConsentId; readonly tppId: TppId; readonly now: Date };

/** The same words for an unknown consent and another TPP's: nobody learns which ids exist. */
export const CONSENT_UNKNOWN = "this consent is not known";
export const AUTHORISATION_UNKNOWN = "this authorisation is not known";

/** The TPP's own consent, in whatever state. Rejects with 403 CONSENT_UNKNOWN. */
export async function readAccountConsent(
  ports: ConsentPorts,
  { id, tppId, now }: ConsentOfTpp,
): Promise<AccountConsent> {
  const consent = await ports.consents.findOfTpp(id, tppId);
  if (consent === undefined) throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN);
  return currentConsent(ports, consent, now);
}

/** One authorisation of the TPP's own consent. Rejects with 404 RESOURCE_UNKNOWN when it is not this one's. */
export async function readConsentAuthorisation(
  ports: ConsentPorts,
  asked: ConsentOfTpp & { readonly authorisationId: AuthorisationId },
): Promise<Authorisation> {
  const consent = await readAccountConsent(ports, asked);
  const found =
    consent.authorisationId === asked.authorisationId
      ? await ports.authorisations.find(consent.authorisationId)
      : undefined;
  if (found === undefined) throw reject("RESOURCE_UNKNOWN", AUTHORISATION_UNKNOWN);
  return found;
}

/** What the very same request has created, while its PSU has not decided on it. */
export async function consentOfSameRequest(
  ports: ConsentPorts,
  asked: ConsentAsked,
): Promise<AccountConsent | undefined> {
  const started = await startedBefore(ports, "AIS", asked);
  const consent = started && (await ports.consents.findByAuthorisation(started.id));
  const current = consent && (await currentConsent(ports, consent, asked.now));
  return current?.status === "received" ? current : undefined;
}
