import type { Ports } from "../ports";
import { type AttemptPorts, failAttempt, takeAttempt } from "./attempt";
import type { Authorisation } from "./authorisation";
import type { Psu } from "./psu-directory";

type SignIn = {
  readonly authorisation: Authorisation;
  readonly userId: string;
  readonly password: string;
  readonly now: Date;
};

export type Identification =
  | { readonly outcome: "authenticated"; readonly psu: Psu }
  | { readonly outcome: "wrong-credentials"; readonly attemptsLeft: number }
  | { readonly outcome: "another-psu" }
  | { readonly outcome: "ended" };

/**
 * Judges user ID and password. Nothing in the outcome tells which of the two was wrong (RTS art.
 * 4(3)(a)). A right password costs its PSU no attempt and gives back none that failed before: who
 * knows it gets no fresh guesses at codes by signing in again.
 */
export async function identifyPsu(
  ports: AttemptPorts & Pick<Ports, "psuDirectory">,
  { authorisation: { id }, userId, password, now }: SignIn,
): Promise<Identification> {
  const attempt = await takeAttempt(ports, { id, userId, now });
  if (attempt === undefined) return { outcome: "ended" };

  const psu = await ports.psuDirectory.verifyPassword(userId, password);
  if (psu === undefined) {
    const attemptsLeft = await failAttempt(ports, attempt, now);
    return attemptsLeft === 0
      ? { outcome: "ended" }
      : { outcome: "wrong-credentials", attemptsLeft };
  }
  await ports.psuAttempts.giveBack(attempt.user);
  if (await ports.authorisations.authenticate(id, psu.id, now)) {
    return { outcome: "authenticated", psu };
  }
  const wrongPlace = { ...attempt, leftOfPsu: ports.profile.sca.failedAttemptsMax };
  const attemptsLeft = await failAttempt(ports, wrongPlace, now);
  return { outcome: attemptsLeft === 0 ? "ended" : "another-psu" };
}
