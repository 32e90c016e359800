import type { Ports } from "../ports";
import { type Rejection, reject } from "../rejection";
import { currentFundsConsent } from "./current-funds-consent";
import type { FundsConsent } from "./funds-consent";
import type { FundsConsentStatus } from "./funds-consent-status";

type ConsentPorts = Pick<Ports, "fundsConsents" | "authorisations" | "profile">;

/**
 * The consent if it answers for funds now. Rejects with 401: CONSENT_EXPIRED when its card has run
 * out, CONSENT_INVALID when it was never authorised or has been ended.
 */
export async function openFundsConsent(
  ports: ConsentPorts,
  consent: FundsConsent,
  now: Date,
): Promise<FundsConsent> {
  const current = await currentFundsConsent(ports, consent, now);
  if (current.status === "valid") return current;
  throw endedAs(current.status);
}

function endedAs(status: Exclude<FundsConsentStatus, "valid">): Rejection {
  return reject(status === "expired" ? "CONSENT_EXPIRED" : "CONSENT_INVALID", reasons[status]);
}

const reasons: Readonly<Record<Exclude<FundsConsentStatus, "valid">, string>> = {
  received: "the PSU has not authorised this consent yet",
  partiallyAuthorised: "not everybody has authorised this consent yet",
  rejected: "the PSU did not authorise this consent",
  revokedByPsu: "the PSU has revoked this consent",
  terminatedByTpp: "this consent was deleted by the TPP",
  expired: "this consent has expired with its card; the PSU has to authorise a new one",
};
