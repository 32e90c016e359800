type Limits = {
  /** Of all callers. */
  readonly atOnce: number;
  /** Of one caller, by whether another has asked within the last second; as many as in all when it is left out. */
  readonly atOncePerCallerMax?: (isBesideOthers: boolean) => number;
  readonly waitingMax: number;
  /** Of one caller; of those whom nobody knows there may be as many as in all. */
  readonly waitingPerCallerMax: number;
};

export type FairQueue<Caller> = {
  /** Runs it in its caller's turn; undefined, and not run, when too much waits already. */
  readonly run: <Result>(
    caller: Caller | undefined,
    work: () => Promise<Result>,
  ) => Promise<Result | undefined>;
};

const BESIDE_OTHERS_MS = 1_000;

/**
 * The turns of one process. Each caller has a queue, and the queues are served in turn: a flood from one caller makes the
 * others wait for one piece of its work, not for all.
 */
export function fairQueue<Caller>(limits: Limits): FairQueue<Caller> {
  const { atOnce, atOncePerCallerMax = () => atOnce, waitingMax, waitingPerCallerMax } = limits;
  const queues = new Map<Caller | undefined, (() => void)[]>();
  const running = new Map<Caller | undefined, number>();
  let [runningInAll, waiting] = [0, 0];
  let lastCaller: Caller | undefined;
  let [isFirst, otherSince] = [true, Number.NEGATIVE_INFINITY];

  function hasRoom(caller: Caller | undefined): boolean {
    const isBesideOthers = performance.now() - otherSince < BESIDE_OTHERS_MS;
    const max = atOncePerCallerMax(isBesideOthers);
    return runningInAll < atOnce && (running.get(caller) ?? 0) < max;
  }

  function noteCaller(caller: Caller | undefined): void {
    if (!isFirst && caller !== lastCaller) otherSince = performance.now();
    [lastCaller, isFirst] = [caller, false];
  }

  function count(caller: Caller | undefined, change: 1 | -1): void {
    const now = (running.get(caller) ?? 0) + change;
    runningInAll += change;
    if (now === 0) running.delete(caller);
    else running.set(caller, now);
  }

  /** False when the queue is full. */
  async function turn(caller: Caller | undefined): Promise<boolean> {
    noteCaller(caller);
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
    });
    return true;
  }

  /** Each to the caller that has waited longest for one and may have one more; several when the bound has grown. */
  function giveTurns(): void {
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
