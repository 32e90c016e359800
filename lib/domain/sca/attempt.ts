import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import type { Authorisation, FailureReason } from "./authorisation";
import { attemptLimits, type UserKey, userKey } from "./psu-attempts";

export type AttemptPorts = Pick<
  Ports,
  "authorisations" | "psuAttempts" | "oneTimeCodes" | "profile"
>;

type Asked = {
  readonly id: Authorisation["id"];
  readonly userId: string;
  readonly now: Date;
};

/** An attempt that is counted and not yet judged; it says how many are left if it fails. */
export type Attempt = {
  readonly authorisation: Authorisation;
  readonly user: UserKey;
  readonly takenAt: Date;
  readonly leftOfAuthorisation: number;
  readonly leftOfPsu: number;
};

/**
 * Counts an attempt with its authorisation and with its user ID. Undefined when it may not be judged:
 * the authorisation takes none any more, or the user ID is blocked, which ends the authorisation.
 */
export async function takeAttempt(
  ports: AttemptPorts,
  { id, userId, now }: Asked,
): Promise<Attempt | undefined> {
  const { failedAttemptsMax } = ports.profile.sca;
  // In this order: what reaches an authorisation that is over costs the PSU nothing.
  const authorisation = await ports.authorisations.takeAttempt(id, failedAttemptsMax, now);
  if (authorisation === undefined) return undefined;
  const user = userKey(ports.oneTimeCodes, userId);
  const taken = await ports.psuAttempts.take(user, attemptLimits(ports.profile, now), now);
  if (taken === undefined) {
    await failFor(ports, { id, because: "psu-blocked", now });
    return undefined;
  }
  const leftOfAuthorisation = failedAttemptsMax - authorisation.failedAttempts;
  return { authorisation, user, takenAt: now, leftOfAuthorisation, leftOfPsu: taken.attemptsLeft };
}

/**
 * How many tries a failed attempt leaves: as many as both counts allow. The last one ends the
 * authorisation; when both counts are used up, the reason is the one that also stands in the PSU's
 * way elsewhere.
 */
export async function failAttempt(
  ports: AttemptPorts,
  { authorisation: { id }, user, takenAt, leftOfAuthorisation, leftOfPsu }: Attempt,
  now: Date,
): Promise<number> {
  const left = Math.max(0, Math.min(leftOfAuthorisation, leftOfPsu));
  if (leftOfPsu <= 0) await ports.psuAttempts.block(user, takenAt);
  if (left === 0) {
    await failFor(ports, { id, because: leftOfPsu <= 0 ? "psu-blocked" : "too-many-tries", now });
  }
  return left;
}

type Ending = Pick<Asked, "id" | "now"> & { readonly because: FailureReason };

/** Ends the authorisation today, as the bank's calendar has it. */
export async function failFor(
  ports: Pick<Ports, "authorisations" | "profile">,
  { id, because, now }: Ending,
): Promise<void> {
  const on = dayIn(ports.profile.timeZone, now);
  await ports.authorisations.fail({ id, because, on, at: now });
}
