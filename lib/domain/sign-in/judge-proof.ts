import { judgeAssertion, type PasskeyPorts } from "../passkeys/judge-assertion";
import type { Ports } from "../ports";
import type { Judged } from "../sca/authorisation";
import type { Proof } from "../sca/proof";
import { signInPasskeyChallenge } from "./passkey-challenge";
import { signInChallengeText } from "./sign-in-code";
import type { SignIn } from "./sign-in-store";

/** `stale`: there is nothing that it could be judged by, so nobody has mistyped anything. */
export type Verdict =
  | { readonly verdict: "right"; readonly judged: Judged }
  | { readonly verdict: "wrong" | "stale" };

type Question<Method extends Proof["method"]> = {
  readonly signIn: SignIn;
  readonly proof: Extract<Proof, { readonly method: Method }>;
  readonly now: Date;
};

export type JudgingPorts = PasskeyPorts & Pick<Ports, "oneTimeCodes">;

type Asked = Omit<Question<"code">, "proof"> & { readonly proof: Proof };

export function judgeProof(ports: JudgingPorts, { proof, ...asked }: Asked): Promise<Verdict> {
  return proof.method === "code"
    ? judgeCode(ports, { ...asked, proof })
    : judgePasskey(ports, { ...asked, proof });
}

/** Constant in time. */
async function judgeCode(
  { oneTimeCodes }: JudgingPorts,
  { signIn: { session, challenge }, proof, now }: Question<"code">,
): Promise<Verdict> {
  if (challenge === undefined || now >= challenge.expiresAt) return { verdict: "stale" };
  const { codeFingerprint } = challenge;
  const typed = oneTimeCodes.fingerprint(signInChallengeText(session, proof.code));
  const right = oneTimeCodes.equal(typed, codeFingerprint);
  return right ? { verdict: "right", judged: { codeFingerprint } } : { verdict: "wrong" };
}

async function judgePasskey(
  ports: JudgingPorts,
  { signIn: { session, psuId, passkeyChallenge: open }, proof, now }: Question<"passkey">,
): Promise<Verdict> {
  if (open === undefined || now >= open.expiresAt) return { verdict: "stale" };
  const { nonce } = open;
  const challenge = await signInPasskeyChallenge({ session, nonce });
  const { assertion } = proof;
  const signed = await judgeAssertion(ports, { psuId, assertion, challenge, now });
  if (signed === undefined) return { verdict: "wrong" };
  return { verdict: "right", judged: { passkeyNonce: nonce } };
}
