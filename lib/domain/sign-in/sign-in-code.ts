import { after } from "../clock";
import type { Ports } from "../ports";
import { textLimits } from "../sca/text-budget";
import type { SessionHash, SignIn } from "./sign-in-store";

/** What the text on the phone has to say, in the PSU's language. */
export type SignInWording = (message: {
  readonly code: string;
  readonly reference: string;
}) => string;

export type AskedToSend = {
  readonly signIn: SignIn;
  readonly wording: SignInWording;
  readonly now: Date;
};

export type SignInCodeSent = {
  readonly outcome: "code-sent" | "not-delivered" | "too-many-codes" | "too-many-texts" | "ended";
};

/** Sends a code that is for this sign-in and for nothing else; an earlier one is dead. */
export async function sendSignInCode(
  ports: Pick<Ports, "signIns" | "oneTimeCodes" | "textBudget" | "profile">,
  { signIn, wording, now }: AskedToSend,
): Promise<SignInCodeSent> {
  const { codeDigits, codeMinutes, codesSentMax } = ports.profile.sca;
  const { session, psuId } = signIn;
  if (signIn.codesSent >= codesSentMax) return { outcome: "too-many-codes" };
  // Before anything changes: a code that is under way stays good.
  const limits = textLimits(ports.profile, now);
  if (!(await ports.textBudget.take(psuId, limits, now))) return { outcome: "too-many-texts" };

  const code = ports.oneTimeCodes.create(codeDigits);
  const codeFingerprint = ports.oneTimeCodes.fingerprint(signInChallengeText(session, code));
  const challenge = { codeFingerprint, expiresAt: after(now, codeMinutes, "minute") };
  if (!(await ports.signIns.startChallenge(session, challenge, codesSentMax, now))) {
    return { outcome: "ended" };
  }
  const text = wording({ code, reference: referenceOf(session) });
  if (await ports.oneTimeCodes.send({ psuId, text, code, sentAt: now })) {
    return { outcome: "code-sent" };
  }
  // Who has used up all codes here starts again, so it need not be given back.
  await ports.signIns.withdrawCode(session, codeFingerprint);
  return { outcome: "not-delivered" };
}

/**
 * The text whose keyed fingerprint is kept. Those of authorisations begin with a UUID and those of user
 * IDs with a word of their own, so no code of one fits another.
 */
export function signInChallengeText(session: SessionHash, code: string): string {
  return ["sign-in", session, code].join("\n");
}

/** Shown on the page and in the message, so that a PSU can tell which sign-in a code is for. */
export function referenceOf(session: SessionHash): string {
  return session.slice(0, 4).toUpperCase();
}
