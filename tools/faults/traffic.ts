/** The calls in which something can be lost. */
export type Kind = "initiation" | "confirmation" | "consent" | "other";
/** When a call goes out, and when its answer, or that there is none, is known. */
export type Moment = `${Kind} sent` | `${Kind} over`;

/** Calls that are not answered yet, so that a fault can be timed to hit them. */
export type Traffic = {
  readonly during: <Result>(kind: Kind, call: () => Promise<Result>) => Promise<Result>;
  readonly inFlight: () => number;
  /** Resolves at the next moment of this kind. */
  readonly next: (moment: Moment) => Promise<void>;
};

export function traffic(): Traffic {
  const waiting = new Map<Moment, (() => void)[]>();
  const announce = (moment: Moment) => {
    for (const resolve of waiting.get(moment)?.splice(0) ?? []) resolve();
  };
  let inFlight = 0;
  return {
    during: async (kind, call) => {
      inFlight += 1;
      const answer = call();
      announce(`${kind} sent`);
      try {
        return await answer;
      } finally {
        inFlight -= 1;
        announce(`${kind} over`);
      }
    },
    inFlight: () => inFlight,
    next: (moment) =>
      new Promise((resolve) => {
        waiting.set(moment, [...(waiting.get(moment) ?? []), resolve]);
      }),
  };
}
