import type { PsuId } from "../identifiers";
import { passkeyText } from "../passkeys/challenge";
import { judgeAssertion, type PasskeyPorts } from "../passkeys/judge-assertion";
import type { Ports } from "../ports";
import { sha256 } from "../sha256";
import type { Authorisation, Judged, Proved } from "./authorisation";
import { challengeText } from "./challenge";
import type { Proof } from "./proof";

export type JudgingPorts = PasskeyPorts & Pick<Ports, "oneTimeCodes">;

/** Whether there is a challenge which such a proof can answer; nothing is judged. */
export function isWaitedFor(
  { challenge, passkeyChallenge: open }: Authorisation,
  { method }: Proof,
  now: Date,
): boolean {
  const asked = method === "code" ? challenge : open;
  return asked !== undefined && now < asked.expiresAt;
}

/** The open challenge that a proof of this method answers, by what the row keeps of it. */
export function askedBy(
  { challenge, passkeyChallenge: open }: Authorisation,
  { method }: Proof,
): Judged | undefined {
  if (method === "code") return challenge && { codeFingerprint: challenge.codeFingerprint };
  return open && { passkeyNonce: open.nonce };
}

type Question = {
  readonly authorisation: Authorisation;
  readonly psuId: PsuId;
  readonly judged: Judged;
  readonly proof: Proof;
  /** What is authorised, as the rows have it now. */
  readonly linked: string;
  readonly now: Date;
};

/**
 * Computes anew what the challenge stands for, so that a proof given for anything else does not fit.
 * Undefined when it is not right.
 */
export async function judgeProof(
  ports: JudgingPorts,
  { authorisation, psuId, judged, proof, linked, now }: Question,
): Promise<Proved | undefined> {
  const bound = {
    authorisationId: authorisation.id,
    resourceId: authorisation.resourceId,
    linked,
  };
  if (proof.method === "code") {
    if (!("codeFingerprint" in judged)) return undefined;
    const typed = ports.oneTimeCodes.fingerprint(challengeText(bound, proof.code));
    return ports.oneTimeCodes.equal(typed, judged.codeFingerprint) ? judged : undefined;
  }
  if (!("passkeyNonce" in judged)) return undefined;
  const text = passkeyText({ ...bound, nonce: judged.passkeyNonce });
  const challenge = await sha256(text);
  const signed = await judgeAssertion(ports, { psuId, assertion: proof.assertion, challenge, now });
  return signed && { ...judged, evidence: { ...signed, text } };
}
