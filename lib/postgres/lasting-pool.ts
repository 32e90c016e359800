import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { type Bounds, bounded, usualBounds, type Watch } from "./bounded-query";
import { endingLostTransactions } from "./lost-transactions";
import { openLine, ownLines } from "./own-lines";
import { wayTo } from "./primary";
import { leavesConnections } from "./unavailable";

type Options = Pick<postgres.Options<Record<string, never>>, "backoff" | "onnotice"> & {
  /** Connections. */
  readonly max: number;
  /** Statements that wait for each other on one connection because they were sent at one instant. */
  readonly togetherMax: number;
  readonly onLost?: (() => void) | undefined;
};

export type Pool = {
  readonly sql: postgres.Sql;
  /** Lets running queries end, as long as the bounds allow. */
  close(): Promise<void>;
};

/**
 * Connections of which none is used again once one was lost, hangs or may not be written to. The driver
 * (postgres.js 3.4.9) opens another in its place, but goes on waiting to send what it had not sent on the
 * lost one, and sends nothing from then on. So new queries go to connections of their own, and what runs
 * on the others comes to its end.
 */
export function lastingPool(
  databaseUrl: string,
  { max, togetherMax, onLost, ...others }: Options,
  bounds: Bounds = usualBounds,
): Pool {
  const way = wayTo(databaseUrl);
  let closing = false;
  const retiring = new Set<Promise<void>>();
  let current = open();

  function open(): postgres.Sql {
    const onAway: Watch["onAway"] = (code) => {
      if (!leavesConnections(code)) replace(opened);
    };
    let said = 0;
    const onAnswer = () => {
      said += 1;
    };
    const watch = { bounds, onAway, onAnswer, answers: () => said };
    const bound = (driver: postgres.Sql) => endingLostTransactions(bounding(driver, watch), watch);
    const line = () =>
      openLine(
        driverOf(() => replace(opened)),
        bound,
      );
    const lines = [line(), ...Array.from({ length: max - 1 }, line)] as const;
    const opened = ownLines(lines, { togetherMax, watch });
    return opened;
  }

  function driverOf(onclose: () => void): postgres.Sql {
    const driver = postgres(way.url, {
      ...others,
      ...way.options,
      max: 1,
      connect_timeout: bounds.connect / 1_000,
      max_lifetime: null,
      // Nobody could catch it when the connection is lost while the driver asks for them.
      fetch_types: false,
      onclose,
    });
    // For what it does to the client: from here on dates come as texts, which the columns read.
    drizzle(driver);
    return driver;
  }

  function replace(lost: postgres.Sql): void {
    way.forget();
    if (closing || lost !== current) return;
    current = open();
    onLost?.();
    const ended = end(lost, bounds).finally(() => retiring.delete(ended));
    retiring.add(ended);
  }

  const sql = new Proxy(current, {
    apply: (_first, self, given) => Reflect.apply(current, self, given),
    get: (_first, name) => Reflect.get(current, name),
  });
  const close = async () => {
    closing = true;
    await Promise.all([...retiring, end(current, bounds)]);
  };
  return { sql, close };
}

/** The same client, of which no query is waited for without end. */
function bounding(sql: postgres.Sql, watch: Watch): postgres.Sql {
  const send = sql.unsafe.bind(sql);
  const unsafe: typeof sql.unsafe = (...given) => bounded(send(...given), watch);
  // On the driver itself, which sends the BEGIN of a transaction by it.
  Object.assign(sql, { unsafe });
  return new Proxy(sql, {
    apply: (target, self, given) => bounded(Reflect.apply(target, self, given), watch),
  });
}

function end(pool: postgres.Sql, { rest }: Bounds): Promise<void> {
  return pool.end({ timeout: rest / 1_000 });
}
