import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import type { Handler } from "./tpp-host";

/** For what a page or a token leaves to be done when its answer is out; what is later finds no context. */
const LINGER_MS = 100;
/** From here on a context costs nothing where nobody has one. */
const CHEAP_SINCE_NODE = 24;

/**
 * Next and oidc-provider keep what belongs to a request in an `AsyncLocalStorage`. Until Node 24 the first
 * that is used has V8 call hooks for each promise of the process, for good, which takes a seventh of the
 * time of a request to the standard's interface, where every value is passed on by name. So all of them
 * are put out while no request is under way that needs one; the next that does puts its own on again.
 */
export function sparingContexts(node = process.versions.node): (handle: Handler) => Handler {
  if (Number.parseInt(node, 10) >= CHEAP_SINCE_NODE) return (handle) => handle;
  const used = noteUsed();
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;

  const putOut = () => {
    for (const storage of used) storage.disable();
    used.clear();
  };
  const end = () => {
    underWay -= 1;
    if (underWay > 0) return;
    clearTimeout(timer);
    timer = setTimeout(() => underWay === 0 && putOut(), LINGER_MS).unref();
  };
  return (handle) => async (request, response) => {
    underWay += 1;
    const closed = response.closed ? undefined : once(response, "close").catch(() => undefined);
    try {
      await handle(request, response);
      await closed;
    } finally {
      end();
    }
  };
}

type Storage = AsyncLocalStorage<unknown>;

/** Every storage that a value was put into since it was last put out, whoever made it. */
function noteUsed(): Set<Storage> {
  const used = new Set<Storage>();
  const { prototype } = AsyncLocalStorage;
  const { run, enterWith } = prototype;
  Object.assign(prototype, {
    run(this: Storage, ...given: Parameters<typeof run>) {
      used.add(this);
      return Reflect.apply(run, this, given);
    },
    enterWith(this: Storage, value: unknown) {
      used.add(this);
      return Reflect.apply(enterWith, this, [value]);
    },
  });
  return used;
}
