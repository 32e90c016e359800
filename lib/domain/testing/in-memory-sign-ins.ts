import { after } from "../clock";
import type { PsuId } from "../identifiers";
import type { Challenge, PasskeyChallenge } from "../sca/authorisation";
import type { Completed, SessionHash, SignIn, SignInStore } from "../sign-in/sign-in-store";

export type KnownSignIn = {
  readonly psuId: PsuId;
  readonly createdAt: Date;
  seenAt: Date;
  readonly scaDoneAt: Date | undefined;
  revoked: boolean;
  challenge: Challenge | undefined;
  passkeyChallenge: PasskeyChallenge | undefined;
  codesSent: number;
};

/** Says in plain words what the database does in one statement each; both limits are inclusive. */
export function signInsOf(known: Map<SessionHash, KnownSignIn>): SignInStore {
  const open = (psuId: PsuId, at: Date, scaDoneAt?: Date): KnownSignIn => ({
    psuId,
    createdAt: at,
    seenAt: at,
    scaDoneAt,
    revoked: false,
    challenge: undefined,
    passkeyChallenge: undefined,
    codesSent: 0,
  });
  const pending = (session: SessionHash) => {
    const row = known.get(session);
    return row === undefined || row.revoked || row.scaDoneAt !== undefined ? undefined : row;
  };
  return {
    begin: async (session, psuId, now) => {
      if (known.has(session)) throw new Error("this session is known already");
      known.set(session, open(psuId, now));
    },
    touch: async (session, { inactivityMinutes, sessionMinutes }, now) => {
      const row = known.get(session);
      if (row === undefined || row.revoked) return undefined;
      if (row.seenAt < after(now, -inactivityMinutes, "minute")) return undefined;
      if (row.createdAt < after(now, -sessionMinutes, "minute")) return undefined;
      row.seenAt = now;
      return toSignIn(session, row);
    },
    startChallenge: async (session, challenge, codesSentMax) => {
      const row = pending(session);
      if (row === undefined || row.codesSent >= codesSentMax) return false;
      row.challenge = challenge;
      row.codesSent += 1;
      return true;
    },
    startPasskeyChallenge: async (session, challenge) => {
      const row = pending(session);
      if (row === undefined) return false;
      row.passkeyChallenge = challenge;
      return true;
    },
    withdrawCode: async (session, codeFingerprint) => {
      const row = pending(session);
      if (row?.challenge?.codeFingerprint === codeFingerprint) row.challenge = undefined;
    },
    complete: async ({ session, opened, judged, at }) => {
      const row = pending(session);
      if (row === undefined || !runs(row, judged, at)) return false;
      row.revoked = true;
      known.set(opened, open(row.psuId, at, at));
      return true;
    },
    revoke: async (session) => {
      const row = known.get(session);
      if (row !== undefined) row.revoked = true;
    },
  };
}

function runs(row: KnownSignIn, judged: Completed["judged"], at: Date): boolean {
  const { challenge, passkeyChallenge } = row;
  const asked =
    "codeFingerprint" in judged
      ? challenge?.codeFingerprint === judged.codeFingerprint && challenge
      : passkeyChallenge?.nonce === judged.passkeyNonce && passkeyChallenge;
  return asked !== undefined && asked !== false && at < asked.expiresAt;
}

function toSignIn(session: SessionHash, row: KnownSignIn): SignIn {
  const { psuId, scaDoneAt, challenge, passkeyChallenge, codesSent } = row;
  return {
    session,
    psuId,
    codesSent,
    ...(scaDoneAt && { scaDoneAt }),
    ...(challenge && { challenge }),
    ...(passkeyChallenge && { passkeyChallenge }),
  };
}
