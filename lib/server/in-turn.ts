/** To end a connection, with or without an answer, takes about a tenth of that. */
export const END_EVERY_MS = 3;
/** Where it comes faster than it has its turn for longer than this, it is not of one instant but what is asked for. */
const WAITING_MS = 500;
/** Then so much at once. */
const AT_ONCE = 4;

/** So much longer it waits for a request that is being answered, and looks so often whether it is. */
const HELD_OFF_MS = 10;
const LOOK_MS = 1;

type Waiting = {
  readonly work: () => void;
  /** In milliseconds of the process. */
  readonly since: number;
};

type InTurn = (work: () => void) => () => void;

/**
 * For what many connections need at the same instant, as when hundreds are opened together, or have stalled for as
 * long as they may. One has it, then there is a pause of `everyMs` for whatever else has come, then the next one; each
 * request that is answered meanwhile waits for a few of them and not for all, and for a while they wait for
 * the request. Yields what takes work back.
 */
export function inTurn(everyMs: number, isAnswering = () => false): InTurn {
  const waiting = new Set<Waiting>();
  let pausing = false;
  let turnSince: number | undefined;
  const next = () => {
    const some = firstOf(waiting);
    pausing = some.length > 0;
    if (!pausing) return;
    const now = performance.now();
    turnSince ??= now;
    if (isAnswering() && now - turnSince < HELD_OFF_MS) return void setTimeout(next, LOOK_MS);
    turnSince = undefined;
    setTimeout(next, everyMs);
    for (const one of some) {
      waiting.delete(one);
      one.work();
    }
  };
  return (work) => {
    const one = { work, since: performance.now() };
    waiting.add(one);
    if (!pausing) next();
    return () => waiting.delete(one);
  };
}

/** The first, and those after it that have waited for long. */
function firstOf(waiting: ReadonlySet<Waiting>): readonly Waiting[] {
  const some: Waiting[] = [];
  for (const one of waiting) {
    const late = performance.now() - one.since > WAITING_MS;
    if (some.length === AT_ONCE || (some.length > 0 && !late)) break;
    some.push(one);
  }
  return some;
}
