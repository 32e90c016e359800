import {
  addProbe,
  type ProbedInterface,
  type ProbeRun,
  probedInterfaces,
} from "@/lib/domain/interface-figures";
import type { Clock } from "@/lib/domain/values";

/** Runs that wait for the database: of a day in which replies come and go all the time. */
const WAITING_MAX = 30_000;

type Write = (runs: readonly ProbeRun[]) => Promise<void>;

type Probing = {
  readonly isAnswered: (of: ProbedInterface) => Promise<boolean>;
  readonly clock: Clock;
  /** Waits until the next round is due; false when there is none. */
  readonly next: () => Promise<boolean>;
  /** Of each probe, when its run has it. */
  readonly seen: (run: ProbeRun) => void;
  readonly write: Write;
};

/** Probes both interfaces each round, and ends when all that was seen is written or could not be. */
export async function probe({ isAnswered, clock, next, seen, write }: Probing): Promise<void> {
  const results = waitingResults(write);
  const runs = new Map<ProbedInterface, ProbeRun>();
  do {
    const at = await clock.now();
    await Promise.all(
      probedInterfaces.map(async (of) => {
        const answered = await isAnswered(of);
        const run = addProbe(runs.get(of), { interface: of, at, answered });
        runs.set(of, run);
        results.keep(run);
        seen(run);
      }),
    );
    results.startWriting();
  } while (await next());
  await results.written();
}

/** What cannot be written is written with what comes next; a run that is written twice is one run. */
function waitingResults(write: Write) {
  const waiting = new Map<string, ProbeRun>();
  let underWay: Promise<void> | undefined;

  async function flush(): Promise<void> {
    const runs = [...waiting];
    try {
      await write(runs.map(([, run]) => run));
      // One that has grown meanwhile waits for the next time.
      for (const [key, run] of runs) if (waiting.get(key) === run) waiting.delete(key);
    } catch (error) {
      const code = error instanceof Error ? error.name : typeof error;
      console.error(`the database cannot be written (${code}); ${waiting.size} results wait`);
    }
  }

  return {
    keep: (run: ProbeRun): void => {
      const key = `${run.interface} ${run.beganAt.toISOString()}`;
      if (waiting.has(key) || waiting.size < WAITING_MAX) waiting.set(key, run);
    },
    /** One write at a time. No round waits for it: probes that are too far apart are not consecutive. */
    startWriting: (): void => {
      underWay ??= flush().finally(() => {
        underWay = undefined;
      });
    },
    written: async (): Promise<void> => {
      await underWay;
      if (waiting.size > 0) await flush();
    },
  };
}
