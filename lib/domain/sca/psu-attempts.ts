import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import type { Branded } from "../identifiers";
import type { OneTimeCodes } from "./one-time-codes";
import { meantUserId } from "./user-id";

/** Stands for a user ID where failures are kept: what was typed may be a password in the wrong field. */
export type UserKey = Branded<"UserKey">;

/** `second`: a code or a passkey. Anybody can type passwords; who comes that far knows one. */
export type SignInElement = "password" | "second";

/** What the PSU is to be told, each once in a row of failures, and in this order. */
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
    element: SignInElement,
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
  readonly giveBack: (user: UserKey, element: SignInElement) => Promise<void>;

  /** Whether so many codes have failed that no more are judged. */
  readonly isBlockedForGood: (user: UserKey, limits: AttemptLimits) => Promise<boolean>;

  /** The row of failures is over. True when there was something to forget. */
  readonly forget: (user: UserKey) => Promise<boolean>;
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
    blockOver: after(now, -sca.blockMinutes, "minute"),
    forgotten: after(now, -sca.failuresKeptDays, "day"),
    passwordsForgotten: after(now, -sca.passwordFailuresKeptHours, "hour"),
  };
}

/** The first line keeps it apart from the fingerprints of codes, which begin with an id. */
export function userKey(codes: Pick<OneTimeCodes, "fingerprint">, userId: string): UserKey {
  return codes.fingerprint(`user-id\n${meantUserId(userId)}`) as UserKey;
}

/**
 * The same user ID in a browser in which its owner's passkey has signed: failures there are counted apart, so that
 * no stranger's reach it, and by the same limits.
 */
export function unlockedUserKey(codes: Pick<OneTimeCodes, "fingerprint">, userId: string): UserKey {
  return codes.fingerprint(`unlocked user-id\n${meantUserId(userId)}`) as UserKey;
}

type Standing = { readonly failures: number; readonly secondFailures: number };

/** How many are left of the limit that is reached first. */
export function attemptsLeft(
  { failures, secondFailures }: Standing,
  { failuresMax, secondFailuresMax }: Pick<AttemptLimits, "failuresMax" | "secondFailuresMax">,
  element: SignInElement,
): number {
  const ofAll = failuresMax - failures;
  return element === "second" ? Math.min(ofAll, secondFailuresMax - secondFailures) : ofAll;
}
