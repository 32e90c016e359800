import {
  AUTHORISATION_UNKNOWN,
  CONSENT_UNKNOWN,
  type ConsentOfTpp,
} from "../consent/read-account-consent";
import { type ConsentAsked, startedBefore } from "../consent/used-request-id";
import type { AuthorisationId } from "../identifiers";
import type { Ports } from "../ports";
import { reject } from "../rejection";
import type { Authorisation } from "../sca/authorisation";
import { currentFundsConsent } from "./current-funds-consent";
import type { FundsConsent } from "./funds-consent";
import { fundsConsentIsFinal } from "./funds-consent-status";

type ConsentPorts = Pick<Ports, "fundsConsents" | "authorisations" | "profile">;

/** The TPP's own consent, in whatever state. Rejects with 403 CONSENT_UNKNOWN. */
export async function readFundsConsent(
  ports: ConsentPorts,
  { id, tppId, now }: ConsentOfTpp,
): Promise<FundsConsent> {
  const consent = await ports.fundsConsents.findOfTpp(id, tppId);
  if (consent === undefined) throw reject("CONSENT_UNKNOWN", CONSENT_UNKNOWN);
  return currentFundsConsent(ports, consent, now);
}

/** One authorisation of the TPP's own consent. Rejects with 404 RESOURCE_UNKNOWN when it is not this one's. */
export async function readFundsConsentAuthorisation(
  ports: ConsentPorts,
  asked: ConsentOfTpp & { readonly authorisationId: AuthorisationId },
): Promise<Authorisation> {
  const consent = await readFundsConsent(ports, asked);
  const found =
    consent.authorisationId === asked.authorisationId
      ? await ports.authorisations.find(consent.authorisationId)
      : undefined;
  if (found === undefined) throw reject("RESOURCE_UNKNOWN", AUTHORISATION_UNKNOWN);
  return found;
}

/**
 * The TPP ends its consent: tokens die with it and an open authorisation fails. One that has ended
 * already stays as it ended, and the answer is the same.
 */
export async function deleteFundsConsent(ports: ConsentPorts, asked: ConsentOfTpp): Promise<void> {
  const consent = await readFundsConsent(ports, asked);
  if (fundsConsentIsFinal(consent.status)) return;
  const end = { consentId: consent.id, to: "terminatedByTpp", at: asked.now } as const;
  const ended = await ports.fundsConsents.end({ ...end, from: consent.status });
  // The PSU's yes may have come in between: then the consent is valid now, and is ended from there.
  if (!ended && consent.status === "received") {
    await ports.fundsConsents.end({ ...end, from: "valid" });
  }
}

/** What the very same request has created, while its PSU has not decided on it. */
export async function fundsConsentOfSameRequest(
  ports: ConsentPorts,
  asked: ConsentAsked,
): Promise<FundsConsent | undefined> {
  const started = await startedBefore(ports, "PIIS", asked);
  const consent = started && (await ports.fundsConsents.findByAuthorisation(started.id));
  const current = consent && (await currentFundsConsent(ports, consent, asked.now));
  return current?.status === "received" ? current : undefined;
}
