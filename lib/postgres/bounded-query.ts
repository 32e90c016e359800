import { isUnavailable } from "@/lib/domain/unavailable";
import { outageNoter } from "@/lib/outage";
import { asUnavailable, codeOf, type OwnCode, ownFault } from "./unavailable";

/** Milliseconds. */
export type Bounds = {
  /** An attempt to connect; shorter than the wait, so that it never outlasts whoever waits for it. */
  readonly connect: number;
  /** The wait for a connection that is free. */
  readonly wait: number;
  /** The wait for the answer to a statement, or to a COMMIT. */
  readonly answer: number;
  /** How long queries may go on that run on connections which get no new ones. */
  readonly rest: number;
};

export const usualBounds: Bounds = { connect: 1_500, wait: 3_000, answer: 10_000, rest: 5_000 };

export type Watch = {
  readonly bounds: Bounds;
  /** Called with what `unavailable.ts` has in its table. */
  readonly onAway: (code: string | undefined) => void;
  /** How often the database has said anything on these connections. */
  readonly answers: () => number;
  readonly onAnswer: () => void;
};

const texts: Readonly<Record<OwnCode, string>> = {
  NO_CONNECTION_FREE: "no connection to the database was free in time",
  NO_ANSWER: "the database did not answer in time",
  NO_PRIMARY: "none of the named hosts is the primary",
};

export function fault(code: OwnCode): Error {
  return ownFault(code, texts[code]);
}

/** What a query of the driver (postgres.js 3.4.9) is besides a promise. */
export type DriverQuery = {
  /** What it goes to when it is sent, and what withdraws it. */
  handler: (query: DriverQuery) => void;
  canceller: ((query: DriverQuery) => unknown) | null;
  readonly executed: boolean;
  /** Null until a connection has it. */
  readonly state: unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
  readonly cancel: () => void;
};

/**
 * A query that settles whatever becomes of the database: the driver itself waits without end. What never
 * reached a connection is withdrawn. What did is only given up: to cancel it could end PostgreSQL's wait
 * for a synchronous standby, and a COMMIT that no standby has would be acknowledged.
 */
export function bounded<Asked>(asked: Asked, watch: Watch): Asked {
  if (!isQuery(asked)) return asked;
  const { bounds, onAway, onAnswer } = watch;
  const faultNow = waitedInVain(watch);
  const { resolve, reject } = asked;
  const note = outageNoter();
  let timer = setTimeout(waitIsOver, bounds.wait).unref();
  let given: Error | undefined;
  let settled = false;

  Object.assign(asked, {
    resolve: (value: unknown) => {
      clearTimeout(timer);
      onAnswer();
      settled = true;
      resolve(value);
    },
    reject: (error: unknown) => {
      clearTimeout(timer);
      const known = asUnavailable(given ?? error);
      if (!isUnavailable(known)) onAnswer();
      else if (!settled) {
        note();
        onAway(codeOf(known));
      }
      settled = true;
      reject(known);
    },
  });

  function waitIsOver(): void {
    if (isQuery(asked) && asked.state !== null) {
      timer = setTimeout(answerIsDue, bounds.answer - bounds.wait).unref();
    } else if (isQuery(asked) && asked.executed) {
      given = faultNow();
      asked.cancel();
    }
  }
  function answerIsDue(): void {
    given = fault("NO_ANSWER");
    if (isQuery(asked)) asked.reject(given);
  }
  return asked;
}

/** Why whoever waits from now on has no connection: those that answered nobody meanwhile are not busy, they hang. */
export function waitedInVain({ answers }: Watch): () => Error {
  const before = answers();
  return () => fault(answers() === before ? "NO_ANSWER" : "NO_CONNECTION_FREE");
}

export function isQuery(asked: unknown): asked is DriverQuery {
  return asked instanceof Promise && "executed" in asked && "cancel" in asked;
}
