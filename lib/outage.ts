import { AsyncLocalStorage } from "node:async_hooks";

/** Whether a request has met something that is away, whoever in the house has coped with it since. */
export type Outage = { seen: boolean };

// Next evaluates a module once per bundle; what a page meets has to reach the listener.
const shared = globalThis as { drawbridgeOutages?: AsyncLocalStorage<Outage | undefined> };
shared.drawbridgeOutages ??= new AsyncLocalStorage();
const watched = shared.drawbridgeOutages;

/** Runs a request so that an outage in it is noted, wherever its error ends. */
export function watchOutage<Result>(outage: Outage, request: () => Result): Result {
  return watched.run(outage, request);
}

/** Runs what a request can do without: an outage there does not count for the request. */
export function dispensable<Result>(work: () => Result): Result {
  return watched.run(undefined, work);
}

/**
 * What notes an outage for the request of this moment. It is fetched when a question is asked, since the
 * answer comes on a connection that belongs to nobody's request.
 */
export function outageNoter(): () => void {
  const outage = watched.getStore();
  return () => {
    if (outage !== undefined) outage.seen = true;
  };
}
