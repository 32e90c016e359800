import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import * as schema from "@/drizzle/schema";
import type { Bounds } from "./bounded-query";
import { lastingPool } from "./lasting-pool";
import { executingPrepared } from "./prepared";

/** Every query goes through it: the client beneath yields timestamps as bare strings. */
export type Database = PostgresJsDatabase<typeof schema>;

export type Connection = {
  readonly db: Database;
  readonly sql: postgres.Sql;
  /** Lets running queries end, for five seconds at most. */
  close(): Promise<void>;
};

/**
 * From a failed attempt to connect to the next. The client's own pause grows to twenty seconds, and
 * every request would wait for its end though the database is back.
 */
const RECONNECT_SECONDS = 0.5;

/** What one request has to say at once, of each of a few. */
const STATEMENTS_TOGETHER_MAX = 16;

type Settings = {
  /** Connections. */
  readonly max: number;
  readonly bounds?: Bounds;
  /** On one connection; 1 where calls are to run side by side. */
  readonly togetherMax?: number;
  /** A connection was lost, or may not be written to: the next statements go to new ones. */
  readonly onLost?: () => void;
};

/**
 * Connects lazily: an unreachable database shows at the first query, as an UnavailableError in the chain
 * of causes.
 */
export function connect(databaseUrl: string, settings: Settings): Connection {
  const { max, bounds, togetherMax = STATEMENTS_TOGETHER_MAX, onLost } = settings;
  const driver = { backoff: () => RECONNECT_SECONDS, onnotice: () => undefined };
  const options = { ...driver, max, togetherMax, onLost };
  const { sql, close } = lastingPool(databaseUrl, options, bounds);
  return { db: executingPrepared(drizzle(sql, { schema }), sql), sql, close };
}
