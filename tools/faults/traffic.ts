/** The calls in which something can be lost. */
export type Kind = "initiation" | "confirmation" | "consent" | "other";
/** When a call goes out, and when its answer, or that there is none, is known. */
export type Moment = `${Kind} sent` | `${Kind} over`;

/** What is on its way to the bank, so that a fault can be made to fall into it. */
export type Traffic = {
  readonly during: <Result>(kind: Kind, call: () => Promise<Result>) => Promise<Result>;
  readonly inFlight: () => number;
  /** Resolves at the next moment of this kind. */
  readonly next: (moment: Moment) => Promise<void>;
};

export function traffic(): Traffic {
  const waiting = new Map<Moment, (() => void)[]>();
  const tell = (moment: Moment) => {
    for (const told of waiting.get(moment)?.splice(0) ?? []) told();
  };
  let inFlight = 0;
  return {
    during: async (kind, call) => {
      inFlight += 1;
      const under = call();
      tell(`${kind} sent`);
      try {
        return await under;
      } finally {
        inFlight -= 1;
        tell(`${kind} over`);
      }
    },
    inFlight: () => inFlight,
    next: (moment) =>
      new Promise((told) => {
        waiting.set(moment, [...(waiting.get(moment) ?? []), told]);
      }),
  };
}
