import type { Ports } from "../ports";
import { blockPsu, keyOf, type Unlocked } from "../sca/attempt";
import { attemptLimits } from "../sca/psu-attempts";
import { type GuardPorts, guarded, type HeldBack, type Network } from "../sca/sign-in-throttle";
import type { SessionHash, SignIn } from "./sign-in-store";

type Credentials = Unlocked & {
  readonly userId: string;
  readonly password: string;
  /** Of the session that begins when both are right. */
  readonly session: SessionHash;
  readonly network?: Network | undefined;
  readonly now: Date;
};

export type SignInBeginning =
  | { readonly outcome: "password-right"; readonly signIn: SignIn }
  | { readonly outcome: "wrong-credentials"; readonly attemptsLeft: number }
  /** `blocked-for-good` is said only to whom the password is known. */
  | { readonly outcome: "blocked" | "blocked-for-good" }
  | HeldBack;

/**
 * The first of two elements at the bank's own channel. Nothing in the outcome tells whether user ID or
 * password was wrong (RTS art. 4(3)(a)), and failures count with all others of the same user ID
 * (4(3)(b)). A right password gives back no failure before it.
 */
export async function beginSignIn(
  ports: BeginPorts,
  credentials: Credentials,
): Promise<SignInBeginning> {
  const asked = { network: undefined, ...credentials };
  return guarded(ports, asked, () => judgePassword(ports, credentials), isWrong);
}

type BeginPorts = GuardPorts &
  Pick<Ports, "signIns" | "psuDirectory" | "psuAttempts" | "blockNotices">;

const isWrong = ({ outcome }: SignInBeginning) =>
  outcome === "wrong-credentials" || outcome === "blocked";

async function judgePassword(
  ports: BeginPorts,
  { userId, password, session, unlockedFor, now }: Credentials,
): Promise<SignInBeginning> {
  const user = keyOf(ports, userId, unlockedFor);
  const limits = attemptLimits(ports.profile, now);
  const taken = await ports.psuAttempts.take(user, "password", limits, now);
  if (taken === undefined) return { outcome: "blocked" };
  const psu = await ports.psuDirectory.verifyPassword(userId, password);
  if (psu === undefined) {
    const { attemptsLeft } = taken;
    if (attemptsLeft > 0) return { outcome: "wrong-credentials", attemptsLeft };
    await blockPsu(ports, { userId, user, takenAt: now }, now);
    return { outcome: "blocked" };
  }
  await ports.psuAttempts.giveBack(user, "password");
  if (await ports.psuAttempts.isBlockedForGood(user, limits))
    return { outcome: "blocked-for-good" };
  await ports.signIns.begin(session, psu.id, now);
  const signIn = { session, psuId: psu.id, codesSent: 0 };
  return { outcome: "password-right", signIn };
}
