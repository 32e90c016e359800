import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";

/** Whether a request has met something that is away, whoever has coped with it since. */
export type Outage = { seen: boolean };

/**
 * What a page meets has to reach the listener. In the browser host they are modules of two bundles, which have nothing
 * in common but Node's own channels: whoever meets an outage says so on this one, in the context of its request.
 */
const outages = channel("drawbridge:outage");
const watched = new AsyncLocalStorage<Outage>();
const dispensed = new AsyncLocalStorage<true>();
let listening = false;

/** Runs a request so that an outage in it is noted, wherever its error ends. */
export function watchOutage<Result>(outage: Outage, request: () => Result): Result {
  if (!listening) outages.subscribe(noteOutage);
  listening = true;
  return watched.run(outage, request);
}

function noteOutage(): void {
  const outage = watched.getStore();
  if (outage !== undefined) outage.seen = true;
}

/** Runs what a request can do without: an outage there does not count for the request. */
export function ignoringOutages<Result>(work: () => Result): Result {
  return dispensed.run(true, work);
}

/**
 * What notes an outage for the request of this moment. It is fetched when a question is asked, since the
 * answer comes on a connection that belongs to nobody's request.
 */
export function outageRecorder(): () => void {
  // In the TPP host nobody listens: its answers say so themselves.
  if (!outages.hasSubscribers || dispensed.getStore() === true) return () => undefined;
  return AsyncResource.bind(() => outages.publish(undefined));
}
