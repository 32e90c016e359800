import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";

/** Whether an outage occurred during a request, even when its error was handled. */
export type Outage = { seen: boolean };

/**
 * Pages report outages to the listener. In the browser host they are modules of two bundles, which share
 * only Node's diagnostics channels: an outage is published on this one, in the async context of its request.
 */
const outages = channel("drawbridge:outage");
const watched = new AsyncLocalStorage<Outage>();
const dispensed = new AsyncLocalStorage<true>();
let listening = false;

/** Runs a request and records an outage in it, wherever its error is handled. */
export function watchOutage<Result>(outage: Outage, request: () => Result): Result {
  if (!listening) outages.subscribe(noteOutage);
  listening = true;
  return watched.run(outage, request);
}

function noteOutage(): void {
  const outage = watched.getStore();
  if (outage !== undefined) outage.seen = true;
}

/** Runs optional work of a request: an outage in it is not recorded for the request. */
export function ignoringOutages<Result>(work: () => Result): Result {
  return dispensed.run(true, work);
}

/**
 * Records an outage for the current request. It is made when a query is sent, since the answer arrives on
 * a connection that belongs to no request.
 */
export function outageRecorder(): () => void {
  // In the TPP host there is no subscriber: its answers report the outage themselves.
  if (!outages.hasSubscribers || dispensed.getStore() === true) return () => undefined;
  return AsyncResource.bind(() => outages.publish(undefined));
}
