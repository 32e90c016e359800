import { killBoth } from "./both-sides";
import { booked, type Size, type Verdict } from "./campaign";
import { fairness } from "./fairness";
import { fullDisk, noMount } from "./full-disk";
import { fundsSearch } from "./funds-search";
import { idleConnections, slowClients } from "./hostile-clients";
import { openAuthorisations } from "./open-authorisations";
import { failOver, killNodes, killServer, restartNodes, stopDatabase } from "./outages";
import { passwordGuessing } from "./password-guessing";
import { missingForPatroni } from "./patroni";
import { missingForRestore, restoreDrill } from "./restore";
import { rotateKeys } from "./rotate-keys";
import { upgrade } from "./upgrade";

type Extent = Pick<Size, "faults" | "seconds" | "clients">;

type Campaign = {
  readonly what: string;
  /** What `faults` counts. */
  readonly unit: string;
  /** Some minutes on a small machine, and as long as the promise says. */
  readonly short: Extent;
  readonly full: Extent;
  readonly run: (size: Size) => Promise<Verdict>;
};

export const campaigns: Readonly<Record<string, Campaign>> = {
  "kill-server": {
    what: "B15: the only server killed under payments, its own PostgreSQL left alone until the next start",
    unit: "kills",
    short: { faults: 4, seconds: 1, clients: 4 },
    full: { faults: 100, seconds: 2, clients: 8 },
    run: booked("kill -9", killServer),
  },
  "kill-both": {
    what: "The only server and the core bank in its own process killed, either or both, and the network between them broken",
    unit: "kills",
    short: { faults: 5, seconds: 2, clients: 4 },
    full: { faults: 100, seconds: 2, clients: 8 },
    run: booked("both sides killed", killBoth),
  },
  "stop-database": {
    what: "PostgreSQL stopped with immediate and started again under payments at several servers",
    unit: "stops",
    short: { faults: 3, seconds: 1, clients: 4 },
    full: { faults: 20, seconds: 2, clients: 8 },
    run: booked("immediate stop", stopDatabase),
  },
  "full-disk": {
    what: "The file system of PostgreSQL full for three seconds under payments and reads, and emptied",
    unit: "times",
    short: { faults: 2, seconds: 1, clients: 4 },
    full: { faults: 20, seconds: 2, clients: 8 },
    run: async (size) => {
      const because = await noMount();
      if (because === undefined) return booked("full disk", fullDisk)(size);
      // Nothing was broken, so nothing is said of it either.
      return { text: `NOT RUN: no file system can be mounted here (${because})`, passed: true };
    },
  },
  "restart-nodes": {
    what: "One server after the other asked to end and started again under payments",
    unit: "restarts",
    short: { faults: 3, seconds: 1, clients: 4 },
    full: { faults: 30, seconds: 2, clients: 8 },
    run: booked("rolling restart", restartNodes),
  },
  upgrade: {
    what: "Two servers rolled from the release before to this one and back under payments, on one database",
    unit: "restarts",
    short: { faults: 4, seconds: 1, clients: 2 },
    full: { faults: 24, seconds: 2, clients: 8 },
    run: upgrade,
  },
  "kill-nodes": {
    what: "A server of several killed at random every 200 ms under payments",
    unit: "seconds",
    short: { faults: 6, seconds: 1, clients: 4 },
    full: { faults: 60, seconds: 1, clients: 8 },
    run: booked("kill -9 at random", killNodes),
  },
  patroni: {
    what: "The leader of three PostgreSQL under Patroni killed, cut off from the others, replaced and frozen under payments",
    unit: "leaders",
    short: { faults: 3, seconds: 1, clients: 4 },
    full: { faults: 12, seconds: 2, clients: 8 },
    run: async (size) => {
      const missing = missingForPatroni();
      if (missing === undefined) return booked("Patroni", failOver)(size);
      return { text: `NOT RUN: ${missing} is not installed`, passed: true };
    },
  },
  restore: {
    what: "The database backed up under payments, lost, and restored to an instant before its end; the core bank is not",
    unit: "payments before and after that instant",
    short: { faults: 4, seconds: 1, clients: 4 },
    full: { faults: 100, seconds: 1, clients: 8 },
    run: async (size) => {
      const missing = await missingForRestore();
      if (missing === undefined) return restoreDrill(size);
      return { text: `NOT RUN: ${missing} is not installed`, passed: true };
    },
  },
  "rotate-keys": {
    what: "Token keys, secrets, TLS certificate and trust anchors replaced one after another under payments, reads and sessions",
    unit: "rounds",
    short: { faults: 1, seconds: 1, clients: 3 },
    full: { faults: 10, seconds: 1, clients: 8 },
    run: booked("keys replaced", rotateKeys),
  },
  "slow-clients": {
    what: "500 stalled sockets, slow and huge bodies and deep JSON beside a client that behaves",
    unit: "seconds a phase",
    short: { faults: 4, seconds: 1, clients: 1 },
    full: { faults: 60, seconds: 1, clients: 1 },
    run: slowClients,
  },
  "open-authorisations": {
    what: "Authorisation and token requests of a TPP that has very many authorisations open",
    unit: "open authorisations",
    short: { faults: 3_000, seconds: 1, clients: 1 },
    full: { faults: 60_000, seconds: 1, clients: 1 },
    run: openAuthorisations,
  },
  "password-guessing": {
    what: "A stranger's wrong passwords for one customer, from one address and then from several",
    unit: "hours of the bank's time",
    short: { faults: 2, seconds: 1, clients: 3 },
    full: { faults: 24, seconds: 1, clients: 20 },
    run: passwordGuessing,
  },
  "idle-connections": {
    what: "1,200 idle connections, of one address and of eight, beside a TPP that behaves",
    unit: "seconds a phase",
    short: { faults: 5, seconds: 1, clients: 1 },
    full: { faults: 60, seconds: 1, clients: 1 },
    run: idleConnections,
  },
  fairness: {
    what: "A licensed TPP with many consents, 200 parallel calls, big pages, refreshes and slow bodies beside one that behaves",
    unit: "seconds a phase",
    short: { faults: 6, seconds: 1, clients: 200 },
    full: { faults: 30, seconds: 1, clients: 200 },
    run: fairness,
  },
  "funds-search": {
    what: "Card issuers that look for a balance behind yes and no, beside an ordinary card",
    unit: "bank-days",
    short: { faults: 2, seconds: 1, clients: 1 },
    full: { faults: 28, seconds: 1, clients: 1 },
    run: fundsSearch,
  },
};
