import type { Target } from "../load/connection";
import type { Expected } from "../load/orders";

export const contestantNames = ["ours", "limit", "next"] as const;
export type ContestantName = (typeof contestantNames)[number];

/** A server that is measured; all get the same requests over the same TLS. */
export type Contestant = {
  readonly name: ContestantName;
  readonly pid: number;
  readonly target: Target;
  /** What it answers to everything; it checks no signature then. */
  readonly constant?: Expected;
};
