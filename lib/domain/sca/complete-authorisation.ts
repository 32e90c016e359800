import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import { type AttemptPorts, failAttempt, failFor, takeAttempt } from "./attempt";
import type { Authorisation } from "./authorisation";
import { challengeText } from "./challenge";
import { type SubjectPorts, subjectOf } from "./subject";

type Confirmation = {
  readonly authorisation: Authorisation;
  readonly code: string;
  readonly now: Date;
};

/** `rejected`: authorised by the PSU, and refused by a rule of the bank. */
export type Completion =
  | { readonly outcome: "finalised" }
  | { readonly outcome: "rejected" }
  | { readonly outcome: "wrong-code"; readonly attemptsLeft: number }
  | { readonly outcome: "code-expired" }
  | { readonly outcome: "ended" };

/**
 * Judges the code and, when it is right, keeps the PSU's yes. The challenge is computed again from what
 * the rows say now, so a code sent for anything else does not fit; the conditional update lets it be
 * used once (RTS art. 4(1)). A completed SCA ends the PSU's row of failures.
 */
export async function completeAuthorisation(
  ports: SubjectPorts & AttemptPorts & Pick<Ports, "psuDirectory">,
  { authorisation, code, now }: Confirmation,
): Promise<Completion> {
  const { id, psuId, resourceId, scaStatus, challenge } = authorisation;
  if (scaStatus !== "started" || psuId === undefined) return { outcome: "ended" };
  if (challenge === undefined || now >= challenge.expiresAt) return { outcome: "code-expired" };
  const psu = await ports.psuDirectory.find(psuId);
  if (psu === undefined) return endedAsGone(ports, { id, now });

  const attempt = await takeAttempt(ports, { id, userId: psu.userId, now });
  const codeFingerprint = attempt?.authorisation.challenge?.codeFingerprint;
  if (attempt === undefined || codeFingerprint === undefined) return { outcome: "ended" };
  const subject = await subjectOf(ports, attempt.authorisation);
  if (subject !== undefined) {
    const sent = challengeText({ authorisationId: id, resourceId, linked: subject.linked }, code);
    if (!ports.oneTimeCodes.equal(ports.oneTimeCodes.fingerprint(sent), codeFingerprint)) {
      const attemptsLeft = await failAttempt(ports, attempt, now);
      return attemptsLeft === 0 ? { outcome: "ended" } : { outcome: "wrong-code", attemptsLeft };
    }
  }

  const on = dayIn(ports.profile.timeZone, now);
  const finalisation = await subject?.finalise({ psuId, codeFingerprint, on, at: now });
  if (finalisation === "finalised" || finalisation === "rejected") {
    await ports.psuAttempts.forget(attempt.user);
    return { outcome: finalisation };
  }
  // Nobody has mistyped anything.
  await ports.psuAttempts.giveBack(attempt.user);
  return finalisation === "too-late" ? { outcome: "ended" } : endedAsGone(ports, { id, now });
}

async function endedAsGone(
  ports: AttemptPorts,
  { id, now }: Pick<Authorisation, "id"> & { readonly now: Date },
): Promise<Completion> {
  await failFor(ports, { id, because: "account-gone", now });
  return { outcome: "ended" };
}
