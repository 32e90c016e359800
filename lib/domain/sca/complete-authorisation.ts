import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import {
  type AttemptPorts,
  failAttempt,
  failFor,
  forgetFailures,
  takeAttempt,
  type Unlocked,
} from "./attempt";
import type { Authorisation } from "./authorisation";
import { askedBy, isWaitedFor, type JudgingPorts, judgeProof } from "./judge-proof";
import type { Proof } from "./proof";
import { type SubjectPorts, subjectOf } from "./subject";

type Confirmation = Unlocked & {
  readonly authorisation: Authorisation;
  readonly proof: Proof;
  readonly now: Date;
};

/** `rejected`: authorised by the PSU, and refused by a rule of the bank. */
export type Completion =
  | { readonly outcome: "finalised" }
  | { readonly outcome: "rejected" }
  | { readonly outcome: "wrong-code" | "wrong-passkey"; readonly attemptsLeft: number }
  | { readonly outcome: "code-expired" | "passkey-expired" }
  | { readonly outcome: "ended" };

const faults = {
  code: { wrong: "wrong-code", expired: "code-expired" },
  passkey: { wrong: "wrong-passkey", expired: "passkey-expired" },
} as const;

/**
 * Judges the PSU's proof and, when it is right, keeps the PSU's yes. The challenge is computed again from
 * what the rows say now, so a proof given for anything else does not fit; the conditional update lets
 * it be used once (RTS art. 4(1)). A completed SCA ends the PSU's row of failures.
 */
export async function completeAuthorisation(
  ports: SubjectPorts & AttemptPorts & JudgingPorts & Pick<Ports, "psuDirectory">,
  { authorisation, proof, unlockedFor, now }: Confirmation,
): Promise<Completion> {
  const { id, psuId, scaStatus } = authorisation;
  const fault = faults[proof.method];
  if (scaStatus !== "started" || psuId === undefined) return { outcome: "ended" };
  if (!isWaitedFor(authorisation, proof, now)) return { outcome: fault.expired };
  const psu = await ports.psuDirectory.find(psuId);
  if (psu === undefined) return endedAsGone(ports, { id, now });

  const { userId } = psu;
  const element = "second";
  const attempt = await takeAttempt(ports, { id, userId, element, unlockedFor, now });
  if (attempt === undefined) return { outcome: "ended" };
  const judged = askedBy(attempt.authorisation, proof);
  if (judged === undefined) {
    await ports.psuAttempts.giveBack(attempt.user, element);
    return { outcome: "ended" };
  }
  const subject = await subjectOf(ports, attempt.authorisation, now);
  if (subject === undefined) {
    await ports.psuAttempts.giveBack(attempt.user, element);
    return endedAsGone(ports, { id, now });
  }
  const { linked } = subject;
  const question = { authorisation: attempt.authorisation, psuId, judged, proof, linked, now };
  const proved = await judgeProof(ports, question);
  if (proved === undefined) {
    const attemptsLeft = await failAttempt(ports, attempt, now);
    return attemptsLeft === 0 ? { outcome: "ended" } : { outcome: fault.wrong, attemptsLeft };
  }

  const on = dayIn(ports.profile.timeZone, now);
  const finalisation = await subject.finalise({ psuId, ...proved, on, at: now });
  if (finalisation === "finalised" || finalisation === "rejected") {
    await forgetFailures(ports, userId);
    return { outcome: finalisation };
  }
  // Nobody has mistyped anything.
  await ports.psuAttempts.giveBack(attempt.user, element);
  return finalisation === "too-late" ? { outcome: "ended" } : endedAsGone(ports, { id, now });
}

async function endedAsGone(
  ports: AttemptPorts,
  { id, now }: Pick<Authorisation, "id"> & { readonly now: Date },
): Promise<Completion> {
  await failFor(ports, { id, because: "account-gone", now });
  return { outcome: "ended" };
}
