import { dayIn } from "../iso-date";
import type { Ports } from "../ports";
import type { Authorisation, FailureReason } from "./authorisation";
import {
  attemptLimits,
  type SignInElement,
  type UserKey,
  unlockedUserKey,
  userKey,
} from "./psu-attempts";
import { meantUserId } from "./user-id";

export type AttemptPorts = Pick<
  Ports,
  "authorisations" | "psuAttempts" | "blockNotices" | "oneTimeCodes" | "profile"
>;

/** The user ID whose passkey has signed in this browser a while ago (see `unlock`). */
export type Unlocked = { readonly unlockedFor?: string | undefined };

type Asked = Unlocked & {
  readonly id: Authorisation["id"];
  readonly userId: string;
  readonly element: SignInElement;
  readonly now: Date;
};

/** An attempt that is counted and not yet judged; it says how many are left if it fails. */
export type Attempt = {
  readonly authorisation: Authorisation;
  readonly userId: string;
  readonly element: SignInElement;
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
  { id, userId, element, unlockedFor, now }: Asked,
): Promise<Attempt | undefined> {
  const { failedAttemptsMax } = ports.profile.sca;
  // In this order: what reaches an authorisation that is over costs the PSU nothing.
  const authorisation = await ports.authorisations.takeAttempt(id, failedAttemptsMax, now);
  if (authorisation === undefined) return undefined;
  const user = keyOf(ports, userId, unlockedFor);
  const limits = attemptLimits(ports.profile, now);
  const taken = await ports.psuAttempts.take(user, element, limits, now);
  if (taken === undefined) {
    await failFor(ports, { id, because: "psu-blocked", now });
    return undefined;
  }
  const leftOfAuthorisation = failedAttemptsMax - authorisation.failedAttempts;
  const leftOfPsu = taken.attemptsLeft;
  return { authorisation, userId, element, user, takenAt: now, leftOfAuthorisation, leftOfPsu };
}

/**
 * How many tries a failed attempt leaves: as many as both counts allow. The last one ends the
 * authorisation; when both counts are used up, the reason is the one that also stands in the PSU's
 * way elsewhere.
 */
export async function failAttempt(
  ports: AttemptPorts,
  { authorisation: { id }, leftOfAuthorisation, leftOfPsu, ...failed }: Attempt,
  now: Date,
): Promise<number> {
  const left = Math.max(0, Math.min(leftOfAuthorisation, leftOfPsu));
  if (leftOfPsu <= 0) await blockPsu(ports, failed, now);
  if (left === 0) {
    await failFor(ports, { id, because: leftOfPsu <= 0 ? "psu-blocked" : "too-many-tries", now });
  }
  return left;
}

type Failed = Pick<Attempt, "userId" | "user" | "takenAt">;

/** The last attempt has failed: the user ID is blocked, and its owner is told what has to be told once. */
export async function blockPsu(
  {
    psuAttempts,
    blockNotices,
    profile,
  }: Pick<AttemptPorts, "psuAttempts" | "blockNotices" | "profile">,
  { userId, user, takenAt }: Failed,
  now: Date,
): Promise<void> {
  const notice = await psuAttempts.block(user, takenAt, attemptLimits(profile, now));
  if (notice !== undefined) blockNotices.tell(userId, notice, now);
}

/** Where the failures of a user ID are counted: apart, in a browser in which its passkey has signed. */
export function keyOf(
  { oneTimeCodes }: Pick<AttemptPorts, "oneTimeCodes">,
  userId: string,
  unlockedFor: string | undefined,
): UserKey {
  const unlocked = unlockedFor !== undefined && meantUserId(userId) === meantUserId(unlockedFor);
  return (unlocked ? unlockedUserKey : userKey)(oneTimeCodes, userId);
}

/** A completed SCA ends the row of failures, and with it every block, whoever's they were. */
export async function forgetFailures(
  { psuAttempts, oneTimeCodes }: Pick<AttemptPorts, "psuAttempts" | "oneTimeCodes">,
  userId: string,
): Promise<void> {
  await psuAttempts.forget(userKey(oneTimeCodes, userId));
  await psuAttempts.forget(unlockedUserKey(oneTimeCodes, userId));
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
