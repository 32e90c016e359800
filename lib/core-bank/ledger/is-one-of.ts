import { type Column, type SQL, sql } from "drizzle-orm";

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
