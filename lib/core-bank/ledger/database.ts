import type { PgDatabase } from "drizzle-orm/pg-core";
import type { PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";

type Database = PgDatabase<PostgresJsQueryResultHKT>;

/** All that reading the ledger asks of a database. */
export type LedgerReader = Pick<Database, "select">;

/** What happens within one transaction. */
export type LedgerTransaction = Pick<Database, "select" | "insert" | "update">;

export type LedgerDatabase = {
  readonly transaction: <Result>(
    work: (tx: LedgerTransaction) => Promise<Result>,
  ) => Promise<Result>;
};
