import { type Column, type SQL, sql } from "drizzle-orm";
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

/**
 * The column is one of those that a prepared statement is given under this name, as `listOf` writes
 * them: it is the same statement whether they are one or many.
 */
export function isOneOf(column: Column, name: string): SQL {
  return sql`${column} = any(${sql.placeholder(name)}::uuid[])`;
}

/** An array as PostgreSQL reads it; a UUID needs no quotes. */
export function listOf(uuids: readonly string[]): string {
  return `{${uuids.join(",")}}`;
}
