import type { Ports } from "../ports";
import { attemptLimits, userKey } from "../sca/psu-attempts";
import type { SessionHash, SignIn } from "./sign-in-store";

type Credentials = {
  readonly userId: string;
  readonly password: string;
  /** Of the session that begins when both are right. */
  readonly session: SessionHash;
  readonly now: Date;
};

export type SignInBeginning =
  | { readonly outcome: "password-right"; readonly signIn: SignIn }
  | { readonly outcome: "wrong-credentials"; readonly attemptsLeft: number }
  | { readonly outcome: "blocked" };

/**
 * The first of two elements at the bank's own channel. Nothing in the outcome tells whether user ID or
 * password was wrong (RTS art. 4(3)(a)), and failures count with all others of the same user ID
 * (4(3)(b)). A right password gives back no failure before it.
 */
export async function beginSignIn(
  ports: Pick<Ports, "signIns" | "psuDirectory" | "psuAttempts" | "oneTimeCodes" | "profile">,
  { userId, password, session, now }: Credentials,
): Promise<SignInBeginning> {
  const user = userKey(ports.oneTimeCodes, userId);
  const taken = await ports.psuAttempts.take(user, attemptLimits(ports.profile, now), now);
  if (taken === undefined) return { outcome: "blocked" };
  const psu = await ports.psuDirectory.verifyPassword(userId, password);
  if (psu === undefined) {
    const { attemptsLeft } = taken;
    if (attemptsLeft > 0) return { outcome: "wrong-credentials", attemptsLeft };
    await ports.psuAttempts.block(user, now);
    return { outcome: "blocked" };
  }
  await ports.psuAttempts.giveBack(user);
  await ports.signIns.begin(session, psu.id, now);
  const signIn = { session, psuId: psu.id, codesSent: 0 };
  return { outcome: "password-right", signIn };
}
