import type { Ports } from "../ports";
import { blockPsu, forgetFailures, keyOf, type Unlocked } from "../sca/attempt";
import type { Proof } from "../sca/proof";
import { attemptLimits } from "../sca/psu-attempts";
import { type JudgingPorts, judgeProof } from "./judge-proof";
import type { SessionHash, SignIn } from "./sign-in-store";

type Completion = Unlocked & {
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
  Pick<
    Ports,
    "signIns" | "psuDirectory" | "psuAttempts" | "blockNotices" | "oneTimeCodes" | "profile"
  >;

/**
 * The second element, whichever the PSU has chosen; it completes SCA. The attempt is counted before it is
 * judged, so that parallel guesses cannot outrun the limit; the fifth failure ends the sign-in and blocks
 * the user ID (RTS art. 4(3)(b)). A completed SCA ends the row of failures.
 */
export async function completeSignIn(
  ports: CompletionPorts,
  { signIn, proof, opens, unlockedFor, now }: Completion,
): Promise<SignInCompletion> {
  const { session, psuId } = signIn;
  if (signIn.scaDoneAt !== undefined) return { outcome: "ended" };
  const psu = await ports.psuDirectory.find(psuId);
  if (psu === undefined) return ended(ports, signIn, "ended", now);

  const { userId } = psu;
  const user = keyOf(ports, userId, unlockedFor);
  const limits = attemptLimits(ports.profile, now);
  const taken = await ports.psuAttempts.take(user, "second", limits, now);
  if (taken === undefined) return ended(ports, signIn, "blocked", now);
  const judgement = await judgeProof(ports, { signIn, proof, now });
  if (judgement.verdict === "wrong") {
    const { attemptsLeft } = taken;
    if (attemptsLeft > 0) return { outcome: "wrong-proof", attemptsLeft };
    await blockPsu(ports, { userId, user, takenAt: now }, now);
    return ended(ports, signIn, "blocked", now);
  }
  const { verdict } = judgement;
  if (verdict === "right") {
    const completed = { session, opened: opens, judged: judgement.judged, at: now };
    if (await ports.signIns.complete(completed)) {
      await forgetFailures(ports, userId);
      return { outcome: "signed-in" };
    }
  }
  await ports.psuAttempts.giveBack(user, "second");
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
