import type { Ports } from "../ports";
import { type AttemptPorts, failAttempt, failFor, takeAttempt, type Unlocked } from "./attempt";
import type { Authorisation } from "./authorisation";
import { attemptLimits } from "./psu-attempts";
import type { Psu } from "./psu-directory";
import { type GuardPorts, guarded, type HeldBack, type Network } from "./sign-in-throttle";

type SignIn = Unlocked & {
  readonly authorisation: Authorisation;
  readonly userId: string;
  readonly password: string;
  readonly network?: Network | undefined;
  readonly now: Date;
};

export type Identification =
  | { readonly outcome: "authenticated"; readonly psu: Psu }
  | { readonly outcome: "wrong-credentials"; readonly attemptsLeft: number }
  | { readonly outcome: "another-psu" }
  | HeldBack
  | { readonly outcome: "ended" };

/**
 * Judges user ID and password. Nothing in the outcome tells which of the two was wrong (RTS art.
 * 4(3)(a)). A right password costs its PSU no attempt and gives back none that failed before: who
 * knows it gets no fresh guesses at codes by signing in again.
 */
export async function identifyPsu(ports: IdentifyPorts, signIn: SignIn): Promise<Identification> {
  return guarded(
    ports,
    { network: undefined, ...signIn },
    () => judgePassword(ports, signIn),
    isWrong,
  );
}

type IdentifyPorts = AttemptPorts & GuardPorts & Pick<Ports, "psuDirectory">;

const isWrong = ({ outcome }: Identification) =>
  outcome === "wrong-credentials" || outcome === "ended";

async function judgePassword(
  ports: IdentifyPorts,
  { authorisation: { id }, userId, password, unlockedFor, now }: SignIn,
): Promise<Identification> {
  const element = "password";
  const attempt = await takeAttempt(ports, { id, userId, element, unlockedFor, now });
  if (attempt === undefined) return { outcome: "ended" };

  const psu = await ports.psuDirectory.verifyPassword(userId, password);
  if (psu === undefined) {
    const attemptsLeft = await failAttempt(ports, attempt, now);
    return attemptsLeft === 0
      ? { outcome: "ended" }
      : { outcome: "wrong-credentials", attemptsLeft };
  }
  await ports.psuAttempts.giveBack(attempt.user, element);
  // Only to whom the password is known: to anybody else it would tell that there is such a user ID.
  if (await ports.psuAttempts.isBlockedForGood(attempt.user, attemptLimits(ports.profile, now))) {
    await failFor(ports, { id, because: "psu-blocked", now });
    return { outcome: "ended" };
  }
  if (await ports.authorisations.authenticate(id, psu.id, now)) {
    return { outcome: "authenticated", psu };
  }
  const wrongPlace = { ...attempt, leftOfPsu: ports.profile.sca.failedAttemptsMax };
  const attemptsLeft = await failAttempt(ports, wrongPlace, now);
  return { outcome: attemptsLeft === 0 ? "ended" : "another-psu" };
}
