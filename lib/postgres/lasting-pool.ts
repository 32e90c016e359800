import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { endingLostTransactions } from "./lost-transactions";

type Options = Pick<postgres.Options<Record<string, never>>, "max" | "backoff" | "onnotice">;

export type Pool = {
  readonly sql: postgres.Sql;
  /** Lets running queries end, for five seconds at most. */
  close(): Promise<void>;
};

/**
 * Connections of which none is used again once it was lost. The driver (postgres.js 3.4.9) opens another
 * in its place, but goes on waiting to send what it had not sent on the lost one, and sends nothing from
 * then on. So new queries go to connections of their own, and what runs on the others comes to its end.
 */
export function lastingPool(databaseUrl: string, options: Options): Pool {
  let closing = false;
  const retiring = new Set<Promise<void>>();
  let current = open();

  function open(): postgres.Sql {
    const opened: postgres.Sql = postgres(databaseUrl, {
      ...options,
      max_lifetime: null,
      // Nobody could catch it when the connection is lost while the driver asks for them.
      fetch_types: false,
      onclose: () => replace(opened),
    });
    // For what it does to the client: from here on dates come as texts, which the columns read.
    drizzle(opened);
    return endingLostTransactions(opened);
  }

  function replace(lost: postgres.Sql): void {
    if (closing || lost !== current) return;
    current = open();
    const ended = end(lost).finally(() => retiring.delete(ended));
    retiring.add(ended);
  }

  const sql = new Proxy(current, {
    apply: (_first, self, given) => Reflect.apply(current, self, given),
    get: (_first, name) => Reflect.get(current, name),
  });
  const close = async () => {
    closing = true;
    await Promise.all([...retiring, end(current)]);
  };
  return { sql, close };
}

function end(pool: postgres.Sql): Promise<void> {
  return pool.end({ timeout: 5 });
}
