type Limits<Caller> = {
  /** Of all callers. */
  readonly atOnce: number;
  /** Of one caller; as many as in all when it is left out. */
  readonly atOncePerCallerMax?: number;
  /** What of the process's time one caller may take while others ask too; all of it when it is left out. */
  readonly share?: Share<Caller>;
  readonly waitingMax: number;
  /** Of one caller; of those whom nobody knows there may be as many as in all. */
  readonly waitingPerCallerMax: number;
};

type Share<Caller> = {
  /** Above 0, up to 1. */
  readonly ofOneCaller: number;
  /** Whether others get less while this one asks. */
  readonly counts: (caller: Caller | undefined) => boolean;
  /** How long the process has been working, and not waiting, since any beginning. */
  readonly workedMs: () => number;
};

export type FairQueue<Caller> = {
  /** Runs it in its caller's turn; undefined, and not run, when too much waits already. */
  readonly run: <Result>(
    caller: Caller | undefined,
    work: () => Promise<Result>,
  ) => Promise<Result | undefined>;
};

type LastCaller<Caller> = {
  readonly caller: Caller | undefined;
  readonly at: number;
  readonly otherAt: number;
};

/** For so long after the last request of another caller that counts. */
const BESIDE_OTHERS_MS = 1_000;
/**
 * What a caller may have taken beyond its share: from the first on it has one piece of work at once, from the second on none,
 * and no more than the third is counted, so that one that was alone is not kept waiting long by what it took then.
 */
const AHEAD_MS = { one: 50, none: 100, max: 200 } as const;
/** How soon one that has taken more than its share is looked at again. */
const SHARE_LOOK_MS = 5;

/**
 * The turns of one process. Each caller has a queue, and the queues are served in turn: a flood from one caller makes the
 * others wait for one piece of its work, not for all.
 */
export function fairQueue<Caller>(limits: Limits<Caller>): FairQueue<Caller> {
  const { atOnce, atOncePerCallerMax = atOnce, waitingMax, waitingPerCallerMax, share } = limits;
  const queues = new Map<Caller | undefined, (() => void)[]>();
  const running = new Map<Caller | undefined, number>();
  let [runningInAll, waiting] = [0, 0];
  const never = Number.NEGATIVE_INFINITY;
  /** The caller that asked last, and when one that is not this one did. */
  let last: LastCaller<Caller> = { caller: undefined, at: never, otherAt: never };
  let looking: NodeJS.Timeout | undefined;

  const taken = share && timeTaken(share, running);

  function hasRoom(caller: Caller | undefined): boolean {
    const own = running.get(caller) ?? 0;
    if (runningInAll >= atOnce || own >= atOncePerCallerMax) return false;
    const otherAt = caller === last.caller ? last.otherAt : last.at;
    if (taken === undefined || performance.now() - otherAt >= BESIDE_OTHERS_MS) return true;
    const aheadMs = taken.aheadMs(caller);
    return aheadMs < AHEAD_MS.one || (own === 0 && aheadMs < AHEAD_MS.none);
  }

  function noteCaller(caller: Caller | undefined): void {
    if (share?.counts(caller) !== true) return;
    const otherAt = caller === last.caller ? last.otherAt : last.at;
    last = { caller, at: performance.now(), otherAt };
  }

  function count(caller: Caller | undefined, change: 1 | -1): void {
    taken?.charge();
    const now = (running.get(caller) ?? 0) + change;
    runningInAll += change;
    if (now === 0) running.delete(caller);
    else running.set(caller, now);
  }

  /** False when the queue is full. */
  async function turn(caller: Caller | undefined): Promise<boolean> {
    noteCaller(caller);
    taken?.charge();
    if (hasRoom(caller)) {
      count(caller, 1);
      return true;
    }
    const queue = queues.get(caller) ?? [];
    const own = caller === undefined ? waitingMax : waitingPerCallerMax;
    if (waiting >= waitingMax || queue.length >= own) return false;
    waiting += 1;
    await new Promise<void>((begin) => {
      queue.push(begin);
      queues.set(caller, queue);
      lookAgain();
    });
    return true;
  }

  /** Each to the caller that has waited longest for one and may have one more; several when the bound has grown. */
  function giveTurns(): void {
    taken?.charge();
    for (const [caller, queue] of queues) {
      if (!hasRoom(caller)) continue;
      const begin = queue.shift();
      waiting -= 1;
      // A caller with more waiting comes last, in this same loop.
      queues.delete(caller);
      if (queue.length > 0) queues.set(caller, queue);
      count(caller, 1);
      begin?.();
    }
    lookAgain();
  }

  /** It is not only the end of work that makes room for a caller which has taken more than its share. */
  function lookAgain(): void {
    if (taken === undefined || waiting === 0 || looking !== undefined) return;
    looking = setTimeout(() => {
      looking = undefined;
      giveTurns();
    }, SHARE_LOOK_MS).unref();
  }

  return {
    run: async (caller, work) => {
      if (!(await turn(caller))) return undefined;
      try {
        return await work();
      } finally {
        count(caller, -1);
        giveTurns();
      }
    },
  };
}

/** Split among those whose work is under way: which of it the process works on is not known. */
function timeTaken<Caller>(
  { ofOneCaller, workedMs }: Share<Caller>,
  running: ReadonlyMap<Caller | undefined, number>,
) {
  const ahead = new Map<Caller | undefined, number>();
  let [workedUntil, paidUntil] = [workedMs(), performance.now()];
  return {
    charge: () => {
      const [worked, now] = [workedMs(), performance.now()];
      const paid = (now - paidUntil) * ofOneCaller;
      for (const [caller, before] of ahead) {
        if (before > paid) ahead.set(caller, before - paid);
        else ahead.delete(caller);
      }
      const inAll = [...running.values()].reduce((sum, own) => sum + own, 0);
      for (const [caller, own] of running) {
        const after = (ahead.get(caller) ?? 0) + ((worked - workedUntil) * own) / inAll;
        ahead.set(caller, Math.min(after, AHEAD_MS.max));
      }
      [workedUntil, paidUntil] = [worked, now];
    },
    /** Beyond the caller's share, up to AHEAD_MS.max. */
    aheadMs: (caller: Caller | undefined) => ahead.get(caller) ?? 0,
  };
}
