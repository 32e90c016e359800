import type { PsuAttempts } from "../sca/psu-attempts";

export type KnownFailures = {
  readonly failures: number;
  readonly blockedBefore: boolean;
  readonly lastAt: Date;
  readonly judged: boolean;
};

/**
 * Says in plain words what the database does in one statement; a property holds the two together. It
 * waits for no judgement: of two at once there is none here.
 */
export function psuAttemptsOf(known: Map<string, KnownFailures>): PsuAttempts {
  return {
    take: async (user, { failuresMax, blockOver, forgotten }, now) => {
      const before = known.get(user);
      const usedUp = before !== undefined && before.failures >= failuresMax;
      const keep = (failures: number, blockedBefore: boolean) => {
        known.set(user, { failures, blockedBefore, lastAt: now, judged: false });
        return { attemptsLeft: failuresMax - failures };
      };
      if (usedUp && before.blockedBefore) return undefined;
      if (before === undefined || before.lastAt <= forgotten) return keep(1, false);
      if (!usedUp) return keep(before.failures + 1, before.blockedBefore);
      return before.lastAt <= blockOver ? keep(1, true) : undefined;
    },
    block: async (user, takenAt) => {
      const before = known.get(user);
      if (before?.lastAt.getTime() !== takenAt.getTime()) return;
      known.set(user, { ...before, judged: true });
    },
    giveBack: async (user) => {
      const before = known.get(user);
      if (before === undefined) return;
      known.set(user, { ...before, failures: Math.max(0, before.failures - 1) });
    },
    forget: async (user) => known.delete(user),
  };
}
