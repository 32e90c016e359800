import type { Network, PasswordTurns } from "@/lib/domain/sign-in-throttle";

type Limits = {
  readonly atOnce: number;
  readonly waitingMax: number;
  /** Of one network; of callers whose network is not known there may be as many as in all. */
  readonly waitingPerNetworkMax: number;
};

/**
 * The turns of one process. Each network has a queue, and the queues are served in turn: a flood from one network
 * makes the others wait for one of its attempts, not for all.
 */
export function passwordTurns({ atOnce, waitingMax, waitingPerNetworkMax }: Limits): PasswordTurns {
  const queues = new Map<Network | undefined, (() => void)[]>();
  let running = 0;
  let waiting = 0;

  /** False when the queue is full. */
  async function turn(network: Network | undefined): Promise<boolean> {
    if (running < atOnce) {
      running += 1;
      return true;
    }
    const queue = queues.get(network) ?? [];
    const own = network === undefined ? waitingMax : waitingPerNetworkMax;
    if (waiting >= waitingMax || queue.length >= own) return false;
    waiting += 1;
    await new Promise<void>((begin) => {
      queue.push(begin);
      queues.set(network, queue);
    });
    return true;
  }

  /** Gives the turn to the network that has waited longest for one. */
  function next(): void {
    const [first] = queues;
    const begin = first?.[1].shift();
    if (first === undefined || begin === undefined) {
      running -= 1;
      return;
    }
    waiting -= 1;
    queues.delete(first[0]);
    if (first[1].length > 0) queues.set(first[0], first[1]);
    begin();
  }

  return {
    run: async (network, work) => {
      if (!(await turn(network))) return undefined;
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}
