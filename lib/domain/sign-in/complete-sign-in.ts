import type { Ports } from "../ports";
import type { Proof } from "../sca/proof";
import { attemptLimits, userKey } from "../sca/psu-attempts";
import { type JudgingPorts, judgeProof } from "./judge-proof";
import type { SessionHash, SignIn } from "./sign-in-store";

type Completion = {
  readonly signIn: SignIn;
  readonly proof: Proof;
  /** Of the session that is opened: one known before SCA is worth nothing after it. */
  readonly opens: SessionHash;
  readonly now: Date;
};

export type SignInCompletion =
  | { readonly outcome: "signed-in" }
  | { readonly outcome: "wrong-proof"; readonly attemptsLeft: number }
  | { readonly outcome: "stale-proof" }
  | { readonly outcome: "blocked" }
  | { readonly outcome: "ended" };

type CompletionPorts = JudgingPorts &
  Pick<Ports, "signIns" | "psuDirectory" | "psuAttempts" | "oneTimeCodes" | "profile">;

/**
 * The second element, whichever the PSU has chosen; it completes SCA. The attempt is counted before it is
 * judged, so that parallel guesses cannot outrun the limit; the fifth failure ends the sign-in and blocks
 * the user ID (RTS art. 4(3)(b)). A completed SCA ends the row of failures.
 */
export async function completeSignIn(
  ports: CompletionPorts,
  { signIn, proof, opens, now }: Completion,
): Promise<SignInCompletion> {
  const { session, psuId } = signIn;
  if (signIn.scaDoneAt !== undefined) return { outcome: "ended" };
  const psu = await ports.psuDirectory.find(psuId);
  if (psu === undefined) return ended(ports, signIn, "ended", now);

  const user = userKey(ports.oneTimeCodes, psu.userId);
  const taken = await ports.psuAttempts.take(user, attemptLimits(ports.profile, now), now);
  if (taken === undefined) return ended(ports, signIn, "blocked", now);
  const judgement = await judgeProof(ports, { signIn, proof, now });
  if (judgement.verdict === "wrong") {
    const { attemptsLeft } = taken;
    if (attemptsLeft > 0) return { outcome: "wrong-proof", attemptsLeft };
    await ports.psuAttempts.block(user, now);
    return ended(ports, signIn, "blocked", now);
  }
  const { verdict } = judgement;
  if (verdict === "right") {
    const completed = { session, opened: opens, judged: judgement.judged, at: now };
    if (await ports.signIns.complete(completed)) {
      await ports.psuAttempts.forget(user);
      return { outcome: "signed-in" };
    }
  }
  await ports.psuAttempts.giveBack(user);
  return { outcome: verdict === "stale" ? "stale-proof" : "ended" };
}

async function ended(
  { signIns }: Pick<Ports, "signIns">,
  { session }: SignIn,
  outcome: "blocked" | "ended",
  now: Date,
): Promise<SignInCompletion> {
  await signIns.revoke(session, now);
  return { outcome };
}
