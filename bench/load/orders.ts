import type { Target } from "./connection";
import type { Call } from "./shot";

/** How requests are sent. */
export type Pace =
  /** Each connection sends its next request when it has its answer. */
  | { readonly kind: "closed"; readonly seconds: number }
  | { readonly kind: "count"; readonly requests: number }
  /** At fixed instants, however long the answers take; `offset` is a share of the interval. */
  | {
      readonly kind: "open";
      readonly seconds: number;
      readonly perSecond: number;
      readonly offset: number;
    };

export type Expected = { readonly status: number; readonly bodyBytes: number };

/** A call, and how it has to be answered: a number made with other answers would mean nothing. */
export type CheckedCall = { readonly call: Call; readonly expected: Expected };

export type Load = {
  readonly target: Target;
  /** PEM. */
  readonly seal: { readonly pem: string; readonly key: string };
  /** Sent in turn. */
  readonly calls: readonly CheckedCall[];
  readonly connections: number;
  /** How many are signed before the first is sent; the rest is signed on the way. */
  readonly signedBefore: number;
  /** Where nobody checks the signature the same requests go round again. */
  readonly again: boolean;
  readonly pace: Pace;
};

export type Fired = {
  /** Milliseconds, one for each answered request. */
  readonly latencies: Float64Array;
  readonly seconds: number;
  /** Of this load process. */
  readonly cpuSeconds: number;
  readonly signedOnTheWay: number;
};

/** To a load process. It answers "ready" to a load, and what it fired to "fire". */
export type Order = { readonly load: Load } | "fire";
