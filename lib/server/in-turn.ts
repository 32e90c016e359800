/** So many take less time than a request does. */
const AT_ONCE = 4;

/**
 * For what many connections need at the same instant, as when hundreds that were opened together have stalled
 * for as long as they may: a few have it, then whatever has come meanwhile has its turn, then the next few.
 */
export function inTurn(): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  const turn = () => {
    for (const work of waiting.splice(0, AT_ONCE)) work();
    if (waiting.length > 0) setImmediate(turn);
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(turn);
  };
}
