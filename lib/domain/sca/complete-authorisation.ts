import type { GrantedAccount } from "../consent/account-consent";
import { newResourceId } from "../identifiers";
import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";
import { challengeText } from "./challenge";
import { offerAccounts } from "./offer-accounts";

type Confirmation = {
  readonly authorisation: Authorisation;
  readonly code: string;
  readonly now: Date;
};

export type Completion =
  | { readonly outcome: "finalised" }
  | { readonly outcome: "wrong-code"; readonly attemptsLeft: number }
  | { readonly outcome: "code-expired" }
  | { readonly outcome: "ended" };

/**
 * Judges the code and, when it is right, makes the consent valid. The challenge is computed again
 * from what the authorisation row says now, so a code sent for anything else does not fit; the
 * conditional update lets it be used once (RTS art. 4(1)).
 */
export async function completeAuthorisation(
  ports: Pick<Ports, "authorisations" | "consents" | "accountSource" | "oneTimeCodes" | "profile">,
  { authorisation, code, now }: Confirmation,
): Promise<Completion> {
  const { failedAttemptsMax } = ports.profile.sca;
  const on = dayIn(ports.profile.timeZone, now);
  const { id, psuId, resourceId } = authorisation;
  if (authorisation.scaStatus !== "started" || psuId === undefined) return { outcome: "ended" };
  if (authorisation.challenge === undefined || now >= authorisation.challenge.expiresAt) {
    return { outcome: "code-expired" };
  }

  const taken = await ports.authorisations.takeAttempt(id, failedAttemptsMax, now);
  if (taken?.challenge === undefined) return { outcome: "ended" };
  const { selection, challenge } = taken;
  const sent = challengeText({ authorisationId: id, resourceId, selection }, code);
  const fingerprint = ports.oneTimeCodes.fingerprint(sent);
  if (!ports.oneTimeCodes.equal(fingerprint, challenge.codeFingerprint)) {
    const attemptsLeft = failedAttemptsMax - taken.failedAttempts;
    if (attemptsLeft > 0) return { outcome: "wrong-code", attemptsLeft };
    await ports.authorisations.fail(id, on, now);
    return { outcome: "ended" };
  }

  const grantedAccounts = await grant(ports, taken);
  const consent = await ports.consents.findByAuthorisation(id);
  if (consent === undefined || grantedAccounts.length !== selection.length) {
    await ports.authorisations.fail(id, on, now);
    return { outcome: "ended" };
  }
  const finalised = await ports.authorisations.finaliseAccountConsent({
    authorisationId: id,
    consentId: consent.id,
    psuId,
    codeFingerprint: challenge.codeFingerprint,
    grantedAccounts,
    on,
    at: now,
  });
  return { outcome: finalised ? "finalised" : "ended" };
}

/** The selected accounts with their rights, as far as they are still the PSU's own. */
async function grant(
  ports: Pick<Ports, "consents" | "accountSource">,
  authorisation: Authorisation,
): Promise<readonly GrantedAccount[]> {
  if (authorisation.psuId === undefined) return [];
  const offered = await offerAccounts(ports, { authorisation, psuId: authorisation.psuId });
  return offered
    .filter(({ account }) => authorisation.selection.includes(account.id))
    .map(({ account, rights }) => ({
      resourceId: newResourceId(),
      accountId: account.id,
      iban: account.iban,
      currency: account.currency,
      rights,
    }));
}
