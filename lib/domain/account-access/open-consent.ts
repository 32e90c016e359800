import type { AccountConsent } from "../consent/account-consent";
import type { ConsentStatus } from "../consent/consent-status";
import { currentConsent } from "../consent/current-consent";
import type { Ports } from "../ports";
import { reject } from "../rejection";

/**
 * The consent if it opens accounts now. Rejects with 401: CONSENT_EXPIRED when its time has run
 * out, CONSENT_INVALID when it was never authorised or has been ended.
 */
export async function openConsent(
  ports: Pick<Ports, "consents" | "authorisations" | "profile">,
  consent: AccountConsent,
  now: Date,
): Promise<AccountConsent> {
  const current = await currentConsent(ports, consent, now);
  if (current.status === "valid") return current;
  if (current.status === "expired") throw reject("CONSENT_EXPIRED", reasons.expired);
  throw reject("CONSENT_INVALID", reasons[current.status]);
}

const reasons: Readonly<Record<Exclude<ConsentStatus, "valid">, string>> = {
  received: "the PSU has not authorised this consent yet",
  rejected: "the PSU did not authorise this consent",
  revokedByPsu: "the PSU has revoked this consent",
  terminatedByTpp: "this consent was deleted by the TPP",
  expired: "this consent has expired; the PSU has to authorise a new one",
};
