import type { AspspProfile } from "../aspsp-profile";
import { after } from "../clock";
import type { Branded } from "../identifiers";
import type { OneTimeCodes } from "./one-time-codes";
import { meantUserId } from "./user-id";

/** Stands for a user ID where failures are kept: what was typed may be a password in the wrong field. */
export type UserKey = Branded<"UserKey">;

/**
 * Failures in a row of one user ID, over all authorisations, sessions and servers; passwords and
 * codes together (RTS art. 4(3)(b)). A user ID that nobody has is counted like any other.
 */
export type PsuAttempts = {
  /**
   * Counts an attempt before it is judged, so that parallel guesses cannot outrun the limit; yields
   * how many are left after it. Undefined, and nothing is counted, while the user ID is blocked. While
   * the last attempt is still being judged it is not known whether it is: then this waits, some seconds
   * at most, so that a right answer sent twice at once is not taken for a failure.
   */
  readonly take: (
    user: UserKey,
    limits: AttemptLimits,
    now: Date,
  ) => Promise<{ readonly attemptsLeft: number } | undefined>;

  /**
   * The last attempt, taken at this instant, was a failure: the user ID is blocked. Of another attempt that
   * has been taken since it says nothing.
   */
  readonly block: (user: UserKey, takenAt: Date) => Promise<void>;

  /** One attempt was no failure; the failures before it stay. */
  readonly giveBack: (user: UserKey) => Promise<void>;

  /** The row of failures is over. True when there was something to forget. */
  readonly forget: (user: UserKey) => Promise<boolean>;
};

/** With the last failure at or before an instant, what it names holds. */
export type AttemptLimits = {
  readonly failuresMax: number;
  /** The first block is over; the next in a row stays until the bank lifts it. */
  readonly blockOver: Date;
  /** The row of failures is over too, unless the user ID is blocked for good. */
  readonly forgotten: Date;
};

export function attemptLimits({ sca }: AspspProfile, now: Date): AttemptLimits {
  return {
    failuresMax: sca.failedAttemptsMax,
    blockOver: after(now, -sca.blockMinutes, "minute"),
    forgotten: after(now, -sca.failuresKeptDays, "day"),
  };
}

/** The first line keeps it apart from the fingerprints of codes, which begin with an id. */
export function userKey(codes: Pick<OneTimeCodes, "fingerprint">, userId: string): UserKey {
  return codes.fingerprint(`user-id\n${meantUserId(userId)}`) as UserKey;
}
