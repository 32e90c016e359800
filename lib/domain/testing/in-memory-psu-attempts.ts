import { attemptsLeft, blockNotices, type PsuAttempts } from "../sca/psu-attempts";

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
    take: async (user, element, limits, now) => {
      const found = known.get(user);
      const forGood = found !== undefined && found.secondFailures >= limits.secondFailuresMax;
      const kept = found?.secondFailures === 0 ? limits.passwordsForgotten : limits.forgotten;
      const before = found !== undefined && !forGood && found.lastAt <= kept ? undefined : found;
      if (forGood && element === "second") return undefined;
      const usedUp = before !== undefined && before.failures >= limits.failuresMax;
      if (usedUp && before.lastAt > limits.blockOver) return undefined;
      const second = before?.secondFailures ?? 0;
      const row = {
        failures: before === undefined || usedUp ? 1 : before.failures + 1,
        secondFailures: element === "second" ? second + 1 : second,
        lastAt: now,
        judged: false,
        noticesDue: before?.noticesDue ?? 0,
      };
      known.set(user, row);
      return { attemptsLeft: attemptsLeft(row, limits, element) };
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
    giveBack: async (user, element) => {
      const before = known.get(user);
      if (before === undefined) return;
      const second = before.secondFailures - (element === "second" ? 1 : 0);
      known.set(user, {
        ...before,
        failures: Math.max(0, before.failures - 1),
        secondFailures: Math.max(0, second),
      });
    },
    isBlockedForGood: async (user, { secondFailuresMax }) =>
      (known.get(user)?.secondFailures ?? 0) >= secondFailuresMax,
    forget: async (user) => known.delete(user),
  };
}
