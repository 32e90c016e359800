import { setTimeout as sleep } from "node:timers/promises";
import type { Listener } from "./listeners";
import type { Step } from "./shutdown";

/**
 * The pause between "not ready" and the end: balancers notice, and whoever keeps a connection learns
 * with its next answer that it ends. Without it a request could go out on a connection in the moment in
 * which it is closed, and its sender could not know whether to send it again.
 */
export function draining(listeners: readonly Pick<Listener, "drain">[], seconds: number): Step {
  const hurried = new AbortController();
  return {
    finish: async () => {
      for (const listener of listeners) listener.drain();
      const { signal } = hurried;
      await sleep(seconds * 1_000, undefined, { signal }).catch(() => undefined);
    },
    hurry: () => hurried.abort(),
  };
}
