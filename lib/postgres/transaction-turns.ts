import { outageNoter } from "@/lib/outage";
import { type Watch, waitedInVain } from "./bounded-query";
import type { Line } from "./own-lines";
import { asUnavailable, codeOf } from "./unavailable";

type Waiting = { readonly go: (line: Line) => void; readonly giveUp: () => void };

/**
 * A transaction has its connection to itself. Whoever comes first has it first, and one connection is left to the
 * statements that are in no transaction, unless there is only one.
 */
export function transactionTurns(lines: readonly Line[], watch: Watch) {
  const most = Math.max(1, lines.length - 1);
  const waiting = new Set<Waiting>();

  /** Rejects as unavailable where no connection is free in time. */
  async function take<Result>(work: (line: Line) => Promise<Result>): Promise<Result> {
    const line = taken() ?? (await turn());
    try {
      return await work(line);
    } finally {
      passOn(line);
    }
  }

  function taken(): Line | undefined {
    const free = lines.filter(({ isInTransaction }) => !isInTransaction);
    if (lines.length - free.length >= most) return undefined;
    const [line] = free.toSorted((one, other) => one.unanswered - other.unanswered);
    if (line !== undefined) line.isInTransaction = true;
    return line;
  }

  /** Nobody who comes later is first: as long as somebody waits, as many as may have a connection. */
  function passOn(line: Line): void {
    const [next] = waiting;
    if (next === undefined) line.isInTransaction = false;
    else next.go(line);
  }

  function turn(): Promise<Line> {
    const note = outageNoter();
    const faultNow = waitedInVain(watch);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => one.giveUp(), watch.bounds.wait).unref();
      const one: Waiting = {
        go: (line) => {
          leave();
          resolve(line);
        },
        giveUp: () => {
          leave();
          const fault = faultNow();
          note();
          watch.onAway(codeOf(fault));
          reject(asUnavailable(fault));
        },
      };
      const leave = () => {
        clearTimeout(timer);
        waiting.delete(one);
      };
      waiting.add(one);
    });
  }

  /** Nobody waits for connections that are about to be closed. */
  const end = () => {
    for (const one of [...waiting]) one.giveUp();
  };
  return { take, end };
}
