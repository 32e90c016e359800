import type { Outcome, Size } from "./campaign";
import { failOver } from "./fail-over";
import { killNodes } from "./kill-nodes";
import { killServer } from "./kill-server";
import type { Verdict } from "./phases";
import { isFlawless, report } from "./report";
import { restartNodes } from "./restart-nodes";
import { slowClients } from "./slow-clients";
import { stopDatabase } from "./stop-database";

type Extent = Pick<Size, "faults" | "seconds" | "clients">;

export type Campaign = {
  readonly what: string;
  /** What `faults` counts. */
  readonly unit: string;
  /** Some minutes on a small machine, and as long as the promise says. */
  readonly short: Extent;
  readonly full: Extent;
  readonly run: (size: Size) => Promise<Verdict>;
};

/** Held against the books, see checks.ts. */
const booked =
  (name: string, run: (size: Size) => Promise<Outcome>) =>
  async (size: Size): Promise<Verdict> => {
    const outcomes = { [name]: await run(size) };
    return { text: report(outcomes), passed: isFlawless(outcomes) };
  };

export const campaigns: Readonly<Record<string, Campaign>> = {
  "kill-server": {
    what: "The only server killed under payments, its own PostgreSQL left alone until the next start",
    unit: "kills",
    short: { faults: 4, seconds: 1, clients: 4 },
    full: { faults: 100, seconds: 2, clients: 8 },
    run: booked("kill -9", killServer),
  },
  "stop-database": {
    what: "PostgreSQL stopped with immediate and started again under payments at several servers",
    unit: "stops",
    short: { faults: 4, seconds: 1, clients: 4 },
    full: { faults: 20, seconds: 2, clients: 8 },
    run: booked("immediate stop", stopDatabase),
  },
  "restart-nodes": {
    what: "One server after the other asked to end and started again under payments",
    unit: "restarts",
    short: { faults: 3, seconds: 1, clients: 4 },
    full: { faults: 30, seconds: 2, clients: 8 },
    run: booked("rolling restart", restartNodes),
  },
  "kill-nodes": {
    what: "A server of several killed at random every 200 ms under payments",
    unit: "seconds",
    short: { faults: 20, seconds: 1, clients: 4 },
    full: { faults: 60, seconds: 1, clients: 8 },
    run: booked("kill -9 at random", killNodes),
  },
  "fail-over": {
    what: "The primary killed and its synchronous standby promoted under payments at several servers",
    unit: "primaries",
    short: { faults: 2, seconds: 1, clients: 4 },
    full: { faults: 10, seconds: 2, clients: 8 },
    run: booked("fail-over", failOver),
  },
  "slow-clients": {
    what: "500 stalled sockets, slow and huge bodies and deep JSON beside a client that behaves",
    unit: "seconds a phase",
    short: { faults: 6, seconds: 1, clients: 1 },
    full: { faults: 60, seconds: 1, clients: 1 },
    run: slowClients,
  },
};
