import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";

/** Whether the page of a request says that there is nothing at its address. */
export type PageState = { missing: boolean };

/** A page of Next has no say in its status. It tells the listener as it tells it of outages, see `outage.ts`. */
const missingPages = channel("drawbridge:missing-page");
const watched = new AsyncLocalStorage<PageState>();
let listening = false;

/** Runs a request and records whether its page is missing. */
export function watchMissingPage<Result>(state: PageState, request: () => Result): Result {
  if (!listening) missingPages.subscribe(noteMissing);
  listening = true;
  return watched.run(state, request);
}

function noteMissing(): void {
  const state = watched.getStore();
  if (state !== undefined) state.missing = true;
}

/** The current request is answered 404, with the page that says why. */
export function reportMissingPage(): void {
  missingPages.publish(undefined);
}
