import type { Branded, PsuId } from "../identifiers";
import type { Challenge, Judged, PasskeyChallenge } from "../sca/authorisation";

/** The SHA-256 of a session's id, which itself is in nothing but the browser's cookie. */
export type SessionHash = Branded<"SessionHash">;

/** A PSU at the bank's own channel, and what the PSU has proved there. */
export type SignIn = {
  readonly session: SessionHash;
  readonly psuId: PsuId;
  /** Absent after the password alone, which opens nothing. */
  readonly scaDoneAt?: Date;
  readonly challenge?: Challenge;
  readonly passkeyChallenge?: PasskeyChallenge;
  readonly codesSent: number;
};

export type SessionLimits = {
  /** RTS art. 4(3)(d). */
  readonly inactivityMinutes: number;
  readonly sessionMinutes: number;
};

/** Every method is one conditional statement; `undefined` or `false`: too late. */
export type SignInStore = {
  /** The password was right. Throws when the session is known already: nobody gets another's. */
  readonly begin: (session: SessionHash, psuId: PsuId, now: Date) => Promise<void>;

  /** Counts as activity; undefined once a limit has passed or the session was ended. */
  readonly touch: (
    session: SessionHash,
    limits: SessionLimits,
    now: Date,
  ) => Promise<SignIn | undefined>;

  /** Keeps the challenge in place of an earlier one, and counts the code; while SCA is open. */
  readonly startChallenge: (
    session: SessionHash,
    challenge: Challenge,
    codesSentMax: number,
    now: Date,
  ) => Promise<boolean>;

  /** Keeps a passkey's challenge in place of an earlier one; while SCA is open. */
  readonly startPasskeyChallenge: (
    session: SessionHash,
    challenge: PasskeyChallenge,
    now: Date,
  ) => Promise<boolean>;

  /** The code of this challenge went nowhere: it is not waited for any more. It counts all the same. */
  readonly withdrawCode: (session: SessionHash, codeFingerprint: string) => Promise<void>;

  /**
   * SCA is done: `opened` is a signed-in session of the same PSU, and the one that only knew the
   * password is over. Once, and only while that one lives and its challenge is the one judged.
   */
  readonly complete: (completed: Completed) => Promise<boolean>;

  /** Signs out, whatever was proved. */
  readonly revoke: (session: SessionHash, now: Date) => Promise<void>;
};

export type Completed = {
  readonly session: SessionHash;
  readonly opened: SessionHash;
  readonly judged: Judged;
  readonly at: Date;
};
