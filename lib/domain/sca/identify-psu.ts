import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import type { Authorisation } from "./authorisation";
import type { Psu } from "./psu-directory";

type Attempt = {
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
 * Judges user ID and password. The attempt is counted before it is judged, and nothing in the
 * outcome tells which of the two was wrong (RTS art. 4(3)(a)). The last failed attempt ends the
 * authorisation.
 */
export async function identifyPsu(
  ports: Pick<Ports, "authorisations" | "psuDirectory" | "profile">,
  { authorisation, userId, password, now }: Attempt,
): Promise<Identification> {
  const { failedAttemptsMax } = ports.profile.sca;
  const taken = await ports.authorisations.takeAttempt(authorisation.id, failedAttemptsMax, now);
  if (taken === undefined) return { outcome: "ended" };

  const psu = await ports.psuDirectory.verifyPassword(userId, password);
  if (
    psu !== undefined &&
    (await ports.authorisations.authenticate(authorisation.id, psu.id, now))
  ) {
    return { outcome: "authenticated", psu };
  }
  const attemptsLeft = failedAttemptsMax - taken.failedAttempts;
  if (attemptsLeft <= 0) {
    await ports.authorisations.fail(authorisation.id, dayIn(ports.profile.timeZone, now), now);
    return { outcome: "ended" };
  }
  return psu === undefined
    ? { outcome: "wrong-credentials", attemptsLeft }
    : { outcome: "another-psu" };
}
