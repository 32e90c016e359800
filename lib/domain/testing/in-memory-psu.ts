import type { Challenge, PasskeyChallenge } from "../authorisation";
import type { Passkey, PasskeyStore } from "../passkeys";
import type { TextBudget } from "../psu";
import { attemptsLeft, blockNotices, isSecond, type PsuAttempts } from "../psu-attempts";
import type { Completed, SessionHash, SignIn, SignInStore } from "../sign-in";
import type { SignInThrottle, ThrottleKey } from "../sign-in-throttle";
import { addTime, type PsuId } from "../values";

export type KnownFailures = {
  readonly failures: number;
  readonly secondFailures: number;
  readonly lastAt: Date;
  readonly judged: boolean;
  readonly noticesDue: number;
};

/**
 * Says in plain words what the database does in one statement; a property holds the two together. It
 * waits for no judgement: of two at once there is none here.
 */
export function psuAttemptsOf(known: Map<string, KnownFailures>): PsuAttempts {
  return {
    take: async (user, means, limits, now) => {
      const found = known.get(user);
      const forGood = found !== undefined && found.secondFailures >= limits.secondFailuresMax;
      const kept = found?.secondFailures === 0 ? limits.passwordsForgotten : limits.forgotten;
      const before = found !== undefined && !forGood && found.lastAt <= kept ? undefined : found;
      if (forGood && isSecond(means)) return undefined;
      const usedUp = before !== undefined && before.failures >= limits.failuresMax;
      if (usedUp && before.lastAt > limits.blockOver) return undefined;
      const second = before?.secondFailures ?? 0;
      const row = {
        failures: before === undefined || usedUp ? 1 : before.failures + 1,
        secondFailures: isSecond(means) ? second + 1 : second,
        lastAt: now,
        judged: false,
        noticesDue: before?.noticesDue ?? 0,
      };
      known.set(user, row);
      return { attemptsLeft: attemptsLeft(row, limits, means) };
    },
    block: async (user, takenAt, { failuresMax, secondFailuresMax }) => {
      const before = known.get(user);
      if (before?.lastAt.getTime() !== takenAt.getTime()) return undefined;
      const { secondFailures, noticesDue } = before;
      const warned = secondFailures >= failuresMax ? 2 : 1;
      const due = secondFailures >= secondFailuresMax ? 3 : warned;
      known.set(user, { ...before, judged: true, noticesDue: Math.max(noticesDue, due) });
      return due > noticesDue ? blockNotices[due - 1] : undefined;
    },
    rename: async (user, others) => {
      const [old] = others.filter((other) => known.has(other));
      const row = old && known.get(old);
      if (old && row) known.set(user, row);
      if (old) known.delete(old);
    },
    giveBack: async (user, means) => {
      const before = known.get(user);
      if (before === undefined) return;
      const second = before.secondFailures - (isSecond(means) ? 1 : 0);
      known.set(user, {
        ...before,
        failures: Math.max(0, before.failures - 1),
        secondFailures: Math.max(0, second),
      });
    },
    isBlockedForGood: async (user, { secondFailuresMax }) =>
      (known.get(user)?.secondFailures ?? 0) >= secondFailuresMax,
    blockOf: async (user, { failuresMax, secondFailuresMax }) => {
      const { failures = 0, secondFailures = 0 } = known.get(user) ?? {};
      if (secondFailures >= secondFailuresMax) return "for-good";
      return failures >= failuresMax ? "for-a-while" : "none";
    },
    forget: async (user) => known.delete(user),
    unlock: async (users) => users.filter((user) => known.delete(user)).length > 0,
  };
}

type Row = { readonly failures: number; readonly since: Date; readonly lastAt: Date };

const seconds = (count: number) => count * 1_000;

const until = (end: number, now: Date) => ({
  waitSeconds: Math.ceil((end - now.getTime()) / 1_000),
});

/** Says in plain words what the database does; a property holds the two together. */
export function signInThrottleOf(known = new Map<ThrottleKey, Row>()): SignInThrottle {
  const less = (key: ThrottleKey) => {
    const row = known.get(key);
    if (row !== undefined) known.set(key, { ...row, failures: Math.max(0, row.failures - 1) });
  };
  return {
    take: async ({ network, networkAndUser }, limits, now) => {
      const all = known.get(network);
      const end =
        all === undefined ? 0 : all.since.getTime() + seconds(limits.networkWindowSeconds);
      const open = all !== undefined && end > now.getTime();
      if (open && all.failures >= limits.networkFailuresMax) return until(end, now);
      const since = open ? all.since : now;
      const ofAll = open ? all.failures : 0;
      known.set(network, { failures: ofAll, since, lastAt: now });

      const user = known.get(networkAndUser);
      const failed = user !== undefined && user.lastAt > limits.forgotten ? user.failures : 0;
      const pauses = limits.pauseSecondsAfterFailure;
      const pause = failed === 0 ? 0 : (pauses[Math.min(failed, pauses.length) - 1] ?? 0);
      const mayAt = user === undefined ? 0 : user.lastAt.getTime() + seconds(pause);
      if (failed > 0 && mayAt > now.getTime()) return until(mayAt, now);
      known.set(networkAndUser, { failures: failed + 1, since: now, lastAt: now });
      known.set(network, { failures: ofAll + 1, since, lastAt: now });
      return undefined;
    },
    wasRight: async ({ network, networkAndUser }) => {
      known.delete(networkAndUser);
      less(network);
    },
    giveBack: async ({ network, networkAndUser }) => {
      less(networkAndUser);
      less(network);
    },
  };
}

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
    beginSignedIn: async (session, psuId, scaDoneAt, now) => {
      known.set(session, open(psuId, now, scaDoneAt));
    },
    touch: async (session, { inactivityMinutes, sessionMinutes }, now) => {
      const row = known.get(session);
      if (row === undefined || row.revoked) return undefined;
      if (row.seenAt < addTime(now, -inactivityMinutes, "minute")) return undefined;
      if (row.createdAt < addTime(now, -sessionMinutes, "minute")) return undefined;
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
  const { psuId, createdAt: beganAt, scaDoneAt, challenge, passkeyChallenge, codesSent } = row;
  return {
    session,
    psuId,
    beganAt,
    codesSent,
    ...(scaDoneAt && { scaDoneAt }),
    ...(challenge && { challenge }),
    ...(passkeyChallenge && { passkeyChallenge }),
  };
}

export type KnownPasskey = Passkey & { readonly removed?: boolean };

/** Says in plain words what the database does in one statement each. */
export function passkeysOf(known: Map<string, KnownPasskey>): PasskeyStore {
  const inUse = (id: string) => {
    const found = known.get(id);
    return found?.removed === true ? undefined : found;
  };
  return {
    ofPsu: async (psuId) =>
      [...known.values()].filter((one) => one.psuId === psuId && one.removed !== true),
    ownerOf: async (credentialId) =>
      [...known.values()].find((one) => one.credentialId === credentialId && one.removed !== true)
        ?.psuId,
    add: async (passkey, passkeysMax) => {
      const { id: passkeyId, credentialId, psuId, createdAt: at } = passkey;
      const all = [...known.values()];
      const counts = (one: KnownPasskey) =>
        one.removed !== true || one.createdAt > addTime(at, -1, "day");
      const own = all.filter((one) => one.psuId === psuId && counts(one));
      if (own.length >= passkeysMax) return "too-many-passkeys";
      if (all.some((one) => one.credentialId === credentialId)) return "known-already";
      known.set(passkeyId, passkey);
      return "passkey-added";
    },
    use: async (id, counter, now) => {
      const found = inUse(id);
      if (found === undefined) return false;
      if (counter <= found.counter && !(counter === 0 && found.counter === 0)) return false;
      known.set(id, { ...found, counter, lastUsedAt: now });
      return true;
    },
    remove: async (id, psuId) => {
      const found = inUse(id);
      if (found?.psuId !== psuId) return false;
      known.set(id, { ...found, removed: true });
      return true;
    },
  };
}

/** Says in plain words what the database does in one statement. */
export function textBudgetOf(sent: Map<PsuId, readonly Date[]>): TextBudget {
  return {
    take: async (psuId, { textsMax, since }, now) => {
      const inWindow = (sent.get(psuId) ?? []).filter((one) => one > since);
      if (inWindow.length >= textsMax) return false;
      sent.set(psuId, [...inWindow, now]);
      return true;
    },
  };
}
