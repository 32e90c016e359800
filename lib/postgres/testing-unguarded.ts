import type postgres from "postgres";
import { type Database, databaseOf } from "./client";

type Wrap = <Sql extends postgres.ISql>(sql: Sql) => Sql;

/** Drizzle over a client of the driver with nothing in between; each statement is sent by the client that `wrap` makes. */
export function unguarded(client: postgres.Sql, wrap: Wrap = (sql) => sql): Database {
  return databaseOf({
    run: async (ask) => ask(wrap(client)),
    begin: async (work) => {
      const done = client.begin(async (tx) => ({
        result: await work(async (ask) => ask(wrap(tx))),
      }));
      return (await done).result;
    },
  });
}
