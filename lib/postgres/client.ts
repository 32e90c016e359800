import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "@/drizzle/schema";

/** Every query goes through it: the client beneath yields timestamps as bare strings. */
export type Database = PostgresJsDatabase<typeof schema>;

export type Connection = {
  readonly db: Database;
  readonly sql: postgres.Sql;
  /** Lets running queries end, for five seconds at most. */
  close(): Promise<void>;
};

/** Connects lazily: an unreachable database shows at the first query. `max` counts connections. */
export function connect(
  databaseUrl: string,
  { max = 10 }: { readonly max?: number } = {},
): Connection {
  const sql = postgres(databaseUrl, { max, onnotice: () => undefined });
  return { db: drizzle(sql, { schema }), sql, close: () => sql.end({ timeout: 5 }) };
}
