import type postgres from "postgres";
import { isUnavailable } from "@/lib/domain/unavailable";
import { outageNoter } from "@/lib/outage";
import { asUnavailable, codeOf, fault, leavesConnections } from "./unavailable";

/** Milliseconds. */
export type Bounds = {
  /** An attempt to connect; shorter than the wait, so that it never outlasts a request that waits for it. */
  readonly connect: number;
  /** The wait for a free connection. */
  readonly wait: number;
  /** The wait for the answer to a statement, that for a connection included, or to a BEGIN, COMMIT or ROLLBACK. */
  readonly answer: number;
  /** How long statements may go on that run on connections which get no new ones. */
  readonly rest: number;
};

export type Settings = {
  /** Connections. */
  readonly max: number;
  readonly bounds: Bounds;
  /** Makes a client of the driver; `onClose` is to be called when it has lost a connection. */
  readonly open: (onClose: () => void) => postgres.Sql;
  /** How often the database has answered. */
  readonly answers: () => number;
};

/**
 * The driver (postgres.js 3.4.9) leaves an empty place in a list of its idle connections with each statement, until all
 * of them are taken at one instant, and looks through the list with each statement. A new client has a new list.
 */
const STATEMENTS_OF_A_CLIENT = 50_000;

export type Kind = "statement" | "transaction";
type Client = { readonly sql: postgres.Sql; running: number; transactions: number; begun: number };
type Waiting = {
  readonly kind: Kind;
  readonly go: (client: Client) => void;
  readonly giveUp: () => void;
};

/**
 * No more than `max` statements and transactions run at once: each has a connection to itself, and what waits, waits
 * here, for a bounded time, and is not sent after that. Unless it is the only one, a connection is left to what is in
 * no transaction: reads do not wait for payments.
 *
 * No client is used again that has lost a connection, or of which one hangs or may not be written to. The driver opens
 * another connection in the place of a lost one, but sends nothing on it where something was still to be sent on the
 * lost one. New statements go to a new client, and what runs on the old one's other connections comes to its end.
 */
export function connections(settings: Settings) {
  const { max, bounds, open } = settings;
  const waiting = new Set<Waiting>();
  const retiring = new Set<Promise<void>>();
  let isClosing = false;
  let current = opened();

  function opened(): Client {
    const sql = open(() => replace(client));
    const client: Client = { sql, running: 0, transactions: 0, begun: 0 };
    return client;
  }

  function replace(client: Client, rest = bounds.rest): void {
    if (isClosing || client !== current) return;
    current = opened();
    retire(client, rest);
    admit();
  }

  function retire({ sql }: Client, rest: number): void {
    const ended = sql.end({ timeout: rest / 1_000 }).finally(() => retiring.delete(ended));
    retiring.add(ended);
  }

  function take(kind: Kind): Client | undefined {
    const client = current;
    const isTransaction = kind === "transaction";
    if (client.running === max) return undefined;
    if (isTransaction && client.transactions === Math.max(1, max - 1)) return undefined;
    client.running += 1;
    client.begun += 1;
    if (isTransaction) client.transactions += 1;
    return client;
  }

  function release(client: Client, kind: Kind): void {
    client.running -= 1;
    if (kind === "transaction") client.transactions -= 1;
    // Nothing is wrong with it: its transactions have all the time they need.
    if (client.begun >= STATEMENTS_OF_A_CLIENT) replace(client, 10 * bounds.answer);
    admit();
  }

  /** First come, first served, of each kind. */
  function admit(): void {
    for (const one of waiting) {
      const client = take(one.kind);
      if (client !== undefined) one.go(client);
      else if (current.running === max) return;
    }
  }

  const turn = (kind: Kind) =>
    new Promise<Client>((go, giveUp) => waitIn(waiting, settings, { kind, go, giveUp }));

  return {
    /** Rejects as unavailable where the database is. `work` has as many milliseconds as are left for an answer. */
    use: async <Result>(
      kind: Kind,
      work: (sql: postgres.Sql, patience: number) => Promise<Result>,
    ): Promise<Result> => {
      const note = outageNoter();
      const askedAt = performance.now();
      let client = take(kind);
      try {
        client ??= await turn(kind);
        return await work(client.sql, bounds.answer - (performance.now() - askedAt));
      } catch (error) {
        const known = asUnavailable(error);
        if (isUnavailable(known)) {
          note();
          if (!leavesConnections(codeOf(known))) replace(client ?? current);
        }
        throw known;
      } finally {
        if (client !== undefined) release(client, kind);
      }
    },

    /** What waits is refused at once, and what runs may end, as long as the bounds allow. */
    close: async (): Promise<void> => {
      isClosing = true;
      for (const one of [...waiting]) one.giveUp();
      retire(current, bounds.rest);
      await Promise.all(retiring);
    },
  };
}

type Turn = Pick<Waiting, "kind" | "go"> & { readonly giveUp: (error: Error) => void };

function waitIn(
  waiting: Set<Waiting>,
  { bounds, answers }: Pick<Settings, "bounds" | "answers">,
  { kind, go, giveUp }: Turn,
): void {
  const before = answers();
  const leave = () => {
    clearTimeout(timer);
    waiting.delete(one);
  };
  const one: Waiting = {
    kind,
    go: (client) => {
      leave();
      go(client);
    },
    giveUp: () => {
      leave();
      // Connections that have answered nothing meanwhile are not busy, they hang.
      giveUp(fault(answers() === before ? "NO_ANSWER" : "NO_CONNECTION_FREE"));
    },
  };
  const timer = setTimeout(one.giveUp, bounds.wait).unref();
  waiting.add(one);
}
