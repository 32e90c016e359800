import { type Authorisation, type AuthorisationPorts, failAuthorisation } from "./authorisation";
import type { AspspProfile } from "./bank-profile";
import {
  meantUserId,
  type OneTimeCodes,
  type Psu,
  type PsuDirectory,
  type TextBudget,
  textLimits,
} from "./psu";
import { addTime, type Branded, type PsuId } from "./values";

export type AttemptPorts = AuthorisationPorts & {
  readonly psuAttempts: PsuAttempts;
  readonly blockNotices: BlockNotices;
  readonly oneTimeCodes: OneTimeCodes;
};

/** The user ID whose passkey has signed in this browser a while ago (see `unlock`). */
export type Unlocked = { readonly unlockedFor?: string | undefined };

type AttemptAsked = Unlocked & {
  readonly id: Authorisation["id"];
  readonly userId: string;
  readonly means: AttemptMeans;
  readonly now: Date;
};

/** An attempt that is counted and not yet judged; it says how many are left if it fails. */
type Attempt = {
  readonly authorisation: Authorisation;
  readonly userId: string;
  readonly means: AttemptMeans;
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
  { id, userId, means, unlockedFor, now }: AttemptAsked,
): Promise<Attempt | undefined> {
  const { failedAttemptsMax } = ports.profile.sca;
  // In this order: what reaches an authorisation that is over costs the PSU nothing.
  const authorisation = await ports.authorisations.takeAttempt(id, failedAttemptsMax, now);
  if (authorisation === undefined) return undefined;
  const user = await keyOf(ports, userId, unlockedFor);
  const limits = attemptLimits(ports.profile, now);
  const taken = await ports.psuAttempts.take(user, means, limits, now);
  if (taken === undefined) {
    await failAuthorisation(ports, { id, because: "psu-blocked", now });
    return undefined;
  }
  const leftOfAuthorisation = failedAttemptsMax - authorisation.failedAttempts;
  const leftOfPsu = taken.attemptsLeft;
  return { authorisation, userId, means, user, takenAt: now, leftOfAuthorisation, leftOfPsu };
}

/**
 * How many attempts are left after a failed one: as many as both counts allow. The last failure ends the
 * authorisation; when both counts are used up, the reason is the block of the user ID.
 */
export async function failAttempt(
  ports: AttemptPorts,
  { authorisation: { id }, leftOfAuthorisation, leftOfPsu, ...failed }: Attempt,
  now: Date,
): Promise<number> {
  const left = Math.max(0, Math.min(leftOfAuthorisation, leftOfPsu));
  if (leftOfPsu <= 0) await blockPsu(ports, failed, now);
  if (left === 0) {
    await failAuthorisation(ports, {
      id,
      because: leftOfPsu <= 0 ? "psu-blocked" : "too-many-tries",
      now,
    });
  }
  return left;
}

/** The attempt was no failure: it counts neither with its authorisation nor with its user ID. */
export async function giveBackAttempt(
  { authorisations, psuAttempts }: Pick<AttemptPorts, "authorisations" | "psuAttempts">,
  { authorisation, user, means }: Pick<Attempt, "authorisation" | "user" | "means">,
  now: Date,
): Promise<void> {
  await psuAttempts.giveBack(user, means);
  await authorisations.giveBackAttempt(authorisation.id, now);
}

/** For an outage while an attempt is judged: what was not judged costs nothing. */
export function givingBack(giveBack: () => Promise<void>) {
  return async (error: unknown): Promise<never> => {
    await giveBack();
    throw error;
  };
}

type Failed = Pick<Attempt, "userId" | "user" | "takenAt">;

/** Blocks the user ID after its last attempt has failed, and notifies its owner if a notice is due. */
export async function blockPsu(
  ports: Pick<AttemptPorts, "psuAttempts" | "blockNotices" | "profile">,
  { userId, user, takenAt }: Failed,
  now: Date,
): Promise<void> {
  const notice = await ports.psuAttempts.block(user, takenAt, attemptLimits(ports.profile, now));
  if (notice !== undefined) ports.blockNotices.tell(userId, notice, now);
}

/**
 * The key that failures are counted under: another one in a browser in which the user ID's passkey has signed. What was
 * counted with another of the bank's secrets is counted on, so that no change of secrets ends a block.
 */
export async function keyOf(
  { psuAttempts, oneTimeCodes }: Pick<AttemptPorts, "psuAttempts" | "oneTimeCodes">,
  userId: string,
  unlockedFor?: string,
): Promise<UserKey> {
  const unlocked = unlockedFor !== undefined && meantUserId(userId) === meantUserId(unlockedFor);
  const [user, ...others] = (unlocked ? unlockedUserKeys : userKeys)(oneTimeCodes, userId);
  if (others.length > 0) await psuAttempts.rename(user, others);
  return user;
}

/** A completed SCA ends the row of failures, and with it every block, also of failures by others. */
export async function forgetFailures(
  { psuAttempts, oneTimeCodes }: Pick<AttemptPorts, "psuAttempts" | "oneTimeCodes">,
  userId: string,
): Promise<void> {
  for (const user of everyUserKey(oneTimeCodes, userId)) await psuAttempts.forget(user);
}

/** The bank lifts the block of a customer. False where nothing was counted. */
export async function unlockPsu(
  { psuAttempts, oneTimeCodes }: Pick<AttemptPorts, "psuAttempts"> & Codes,
  { id, userId }: Pick<Psu, "id" | "userId">,
): Promise<boolean> {
  return psuAttempts.unlock(everyUserKey(oneTimeCodes, userId), id);
}

/** Whether a customer's sign-in is blocked where no passkey of theirs has signed. */
export async function signInBlockOf(
  ports: Pick<AttemptPorts, "psuAttempts" | "oneTimeCodes" | "profile">,
  userId: string,
  now: Date,
) {
  return ports.psuAttempts.blockOf(await keyOf(ports, userId), attemptLimits(ports.profile, now));
}

/** A user ID's keyed fingerprint, under which its failures are kept: what was typed may be a password. */
export type UserKey = Branded<"UserKey">;

/** A code or a passkey is the second element, which is asked for only after a right password. */
export const attemptMeans = ["password", "code", "passkey"] as const;
export type AttemptMeans = (typeof attemptMeans)[number];

export function isSecond(means: AttemptMeans): boolean {
  return means !== "password";
}

/** What the PSU is notified of, each once in a row of failures, and in this order. */
export const blockNotices = ["blocked", "warned", "blocked-for-good"] as const;
export type BlockNotice = (typeof blockNotices)[number];

/**
 * Failures in a row of one user ID, over all authorisations, sessions and servers; passwords and
 * codes together (RTS art. 4(3)(b)). A user ID that nobody has is counted like any other.
 */
export type PsuAttempts = {
  /**
   * Counts an attempt before it is judged, so that parallel guesses cannot outrun the limit; yields
   * how many are left after it. Undefined, and nothing is counted, while the user ID is blocked for
   * that element. While the last attempt is still being judged it is not known whether it is: then this waits,
   * some seconds at most, so that a right answer sent twice at once is not taken for a failure.
   */
  readonly take: (
    user: UserKey,
    means: AttemptMeans,
    limits: AttemptLimits,
    now: Date,
  ) => Promise<{ readonly attemptsLeft: number } | undefined>;

  /**
   * The last attempt, taken at this instant, was a failure: the user ID is blocked. Of another attempt that
   * has been taken since it says nothing. Yields the notice that is due by it, to one caller alone.
   */
  readonly block: (
    user: UserKey,
    takenAt: Date,
    limits: AttemptLimits,
  ) => Promise<BlockNotice | undefined>;

  /** One attempt was no failure; the failures before it stay. */
  readonly giveBack: (user: UserKey, means: AttemptMeans) => Promise<void>;

  /** Whether so many codes have failed that no more are judged. */
  readonly isBlockedForGood: (user: UserKey, limits: AttemptLimits) => Promise<boolean>;

  /** Whether attempts are refused now, for a while or until the bank or a passkey ends it. */
  readonly blockOf: (
    user: UserKey,
    limits: AttemptLimits,
  ) => Promise<"none" | "for-a-while" | "for-good">;

  /** What is counted under one of the other keys is counted under this one, unless there is something already. */
  readonly rename: (user: UserKey, others: readonly UserKey[]) => Promise<void>;

  /** The row of failures is over. True when there was something to forget. */
  readonly forget: (user: UserKey) => Promise<boolean>;

  /** The same of all keys of this customer, and recorded as an event where there was something. */
  readonly unlock: (users: readonly UserKey[], psuId: PsuId) => Promise<boolean>;
};

/** With the last failure at or before an instant, what it names holds. */
export type AttemptLimits = {
  readonly failuresMax: number;
  /** Of the second element, since the last success: from then on the block stays. */
  readonly secondFailuresMax: number;
  readonly blockOver: Date;
  /** The row of failures is over too, unless the user ID is blocked for good. */
  readonly forgotten: Date;
  /** The same where no code has failed. */
  readonly passwordsForgotten: Date;
};

export function attemptLimits({ sca }: AspspProfile, now: Date): AttemptLimits {
  return {
    failuresMax: sca.failedAttemptsMax,
    secondFailuresMax: sca.secondFactorFailuresMax,
    blockOver: addTime(now, -sca.blockMinutes, "minute"),
    forgotten: addTime(now, -sca.failuresKeptDays, "day"),
    passwordsForgotten: addTime(now, -sca.passwordFailuresKeptHours, "hour"),
  };
}

type Fingerprints = Pick<OneTimeCodes, "fingerprints">;
type Codes = { readonly oneTimeCodes: Fingerprints };
type UserKeys = readonly [UserKey, ...UserKey[]];

/** The first line keeps it apart from the fingerprints of codes, which begin with an id. The first is the one in use. */
const keysBy = (firstLine: string) => (codes: Fingerprints, userId: string) =>
  codes.fingerprints(`${firstLine}\n${meantUserId(userId)}`) as readonly string[] as UserKeys;

export const userKeys = keysBy("user-id");

/**
 * The same user ID in a browser in which its owner's passkey has signed: failures there are counted apart, so that
 * no stranger's reach it, and by the same limits.
 */
const unlockedUserKeys = keysBy("unlocked user-id");

/** Those under which anything can be counted. */
export function everyUserKey(codes: Fingerprints, userId: string): readonly UserKey[] {
  return [...unlockedUserKeys(codes, userId), ...userKeys(codes, userId)];
}

type Standing = { readonly failures: number; readonly secondFailures: number };

/** How many are left of the limit that is reached first. */
export function attemptsLeft(
  { failures, secondFailures }: Standing,
  { failuresMax, secondFailuresMax }: Pick<AttemptLimits, "failuresMax" | "secondFailuresMax">,
  means: AttemptMeans,
): number {
  const ofAll = failuresMax - failures;
  return isSecond(means) ? Math.min(ofAll, secondFailuresMax - secondFailures) : ofAll;
}

/** Notifies a customer of a block, which somebody else may have caused. */
export type BlockNotices = {
  /**
   * Returns at once, and the caller's answer does not wait for it: the time it takes would show whether there is
   * such a user ID (P11).
   */
  readonly tell: (userId: string, notice: BlockNotice, now: Date) => void;
};

/** In which language a PSU last completed SCA. The browser that causes a notice need not be the PSU's. */
export type PsuLanguages = {
  readonly of: (psuId: PsuId) => Promise<string | undefined>;
  readonly keep: (psuId: PsuId, language: string) => Promise<void>;
};

type Notice = {
  readonly userId: string;
  /** In this language, or in the bank's own. */
  readonly wording: (language: string | undefined) => string;
  readonly now: Date;
};

/** Sends the notice, if anybody has this user ID. Codes cannot use up all of the hour's texts for it. */
export async function sendBlockNotice(
  ports: {
    readonly psuDirectory: Pick<PsuDirectory, "findByUserId">;
    readonly psuLanguages: PsuLanguages;
    readonly textBudget: TextBudget;
    readonly oneTimeCodes: OneTimeCodes;
    readonly profile: AspspProfile;
  },
  { userId, wording, now }: Notice,
): Promise<void> {
  const psu = await ports.psuDirectory.findByUserId(userId);
  if (psu === undefined) return;
  const { textsMax, since } = textLimits(ports.profile, now);
  const limits = { textsMax: textsMax + ports.profile.sca.noticesPerHourMax, since };
  if (!(await ports.textBudget.take(psu.id, limits, now))) return;
  const text = wording(await ports.psuLanguages.of(psu.id));
  await ports.oneTimeCodes.send({ psuId: psu.id, text, sentAt: now });
}
