import type { Listener } from "./listeners";
import type { Step } from "./shutdown";

/**
 * Ends the hosts at once, those that are open by then: while one lets its last requests end, the other
 * must not take new ones.
 */
export function closing(
  listeners: readonly Pick<Listener, "close" | "cut">[],
  graceMs: number,
): Step {
  return {
    finish: async () => {
      await Promise.all(listeners.map((listener) => listener.close(graceMs)));
    },
    hurry: () => {
      for (const listener of listeners) listener.cut();
    },
  };
}
