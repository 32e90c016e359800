import type { PgDatabase } from "drizzle-orm/pg-core";
import type { PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import type postgres from "postgres";

type Database = PgDatabase<PostgresJsQueryResultHKT>;

export type LedgerReader = Pick<Database, "select">;

export type LedgerTransaction = Pick<Database, "select" | "insert" | "update" | "delete">;

export type LedgerDatabase = {
  readonly transaction: <Result>(
    work: (tx: LedgerTransaction) => Promise<Result>,
  ) => Promise<Result>;
};

/** Sends one statement that is written by hand, with the driver's tag. */
export type LedgerStatements = {
  readonly $client: {
    readonly run: <Rows>(ask: (sql: postgres.Sql) => PromiseLike<Rows>) => Promise<Rows>;
  };
};

/** An array as PostgreSQL reads it; a UUID needs no quotes. */
export function listOf(uuids: readonly string[]): string {
  return `{${uuids.join(",")}}`;
}
