import { setTimeout as sleep } from "node:timers/promises";
import { log } from "@/lib/log";

type Turns = {
  readonly everySeconds: number;
  /** Called again and again, never twice at once; true when there is more to do at once. */
  readonly turn: () => Promise<boolean>;
};

/** Begins at once. What fails is logged, and tried again at the next turn. */
export function repeat({ everySeconds, turn }: Turns): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      const more = await turn().catch(logFailure);
      const pause = more ? 0 : everySeconds * 1_000;
      await sleep(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

function logFailure(error: unknown): false {
  log.error({ err: error }, "a turn failed");
  return false;
}
