/** What happened in a run, for whoever wants to know whether it tried anything. */
export const counted = [
  "faults",
  "initiations sent",
  "initiations answered",
  "calls without an answer",
  "calls answered with a fault",
  "payments acknowledged",
  "payments authorised",
  "access tokens",
  "consents acknowledged",
  "reads answered",
  "funds checks answered",
  "tokens refreshed",
  "payments executed",
  "PSU visits broken off",
  "PSU visits ended by the bank",
  "faults while calls were in flight",
  "servers ended in order",
  "slowest recovery in ms",
] as const;
export type Counted = (typeof counted)[number];
export type Tally = Record<Counted, number>;

export function emptyTally(): Tally {
  return Object.fromEntries(counted.map((name) => [name, 0])) as Tally;
}
