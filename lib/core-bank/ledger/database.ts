import type { PgDatabase } from "drizzle-orm/pg-core";
import type { PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";

/** All that reading the ledger asks of a database. */
export type LedgerReader = Pick<PgDatabase<PostgresJsQueryResultHKT>, "select">;
