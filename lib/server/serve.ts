import { config, type Settings } from "@/lib/config";
import { sparingContexts } from "./async-contexts";
import { closing } from "./closing";
import { draining } from "./drain";
import { startReadiness } from "./health";
import { sparingHeap } from "./heap-growth";
import { hostsOf } from "./hosts";
import { type Listener, listen, type Tls } from "./listeners";
import { startNext } from "./next-app";
import type { Shutdown } from "./shutdown";

/** How long running requests get to end when the server stops. */
const graceMs = 10_000;

/** Who answers requests, and can be shown to them under another certificate. */
export type Serving = Pick<Listener, "renew">;

/** Opens both hosts in this process. The environment is complete by then, and so is the build. */
export async function serve(
  root: string,
  settings: Settings,
  tls: Tls | undefined,
  shutdown: Shutdown,
): Promise<Serving> {
  sparingHeap();
  // Before Next is loaded: what it puts into a context on its way up is to be put out as well.
  const inContext = sparingContexts();
  const { handle, close } = await startNext(root, new URL(settings.WEB_URL));
  shutdown.onStop({ finish: close });
  const readiness = startReadiness(config().DATABASE_URL, shutdown.signal);
  shutdown.onStop(readiness);
  const listeners: Listener[] = [];
  shutdown.onStop(closing(listeners, graceMs));
  for (const host of await hostsOf(root, settings, tls, { handle, inContext, readiness })) {
    shutdown.signal.throwIfAborted();
    listeners.push(await listen(host));
  }
  shutdown.onStop(draining(listeners, drainSeconds(settings)));
  return {
    renew: (renewed) => {
      for (const listener of listeners) listener.renew(renewed);
    },
  };
}

/** How long the process takes to stop at most, in milliseconds. */
export function stopMs(settings: Settings): number {
  // Both hosts end at once, and then the application.
  return drainSeconds(settings) * 1_000 + graceMs + 10_000;
}

function drainSeconds({ DRAIN_SECONDS, SANDBOX }: Settings): number {
  return DRAIN_SECONDS ?? (SANDBOX ? 0 : 5);
}
