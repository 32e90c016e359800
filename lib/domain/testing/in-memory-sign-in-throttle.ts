import type { SignInThrottle, ThrottleKey } from "../sca/sign-in-throttle";

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
