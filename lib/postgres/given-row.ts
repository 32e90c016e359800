import { getTableColumns, getTableName, is, type SQL, sql } from "drizzle-orm";
import { PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type postgres from "postgres";

/** A value as the driver takes it, which Drizzle's columns make and call unknown. */
export type DriverValue = postgres.ParameterOrJSON<never>;

/** Rows of a table that are given when a statement is executed: one statement can have several inserts. */
export type GivenTable<Row> = {
  /** `insert into … select …` of one row for each row `from` something, all columns but those with a default. */
  readonly insert: (from?: SQL) => SQL;
  /** The names of the values in `insert`, in their order. */
  readonly places: readonly string[];
  /**
   * What the driver is given for a row, in the order of the places. Throws for a column with a default:
   * it would be lost.
   */
  values(row: Row): readonly DriverValue[];
};

export function givenTable<T extends PgTable>(table: T): GivenTable<T["$inferInsert"]> {
  const columns = Object.entries(getTableColumns<PgTable>(table)).flatMap(([key, column]) =>
    is(column, PgColumn) && !column.hasDefault ? [{ key, column }] : [],
  );
  const known = new Set(columns.map(({ key }) => key));
  const places = columns.map(({ key }) => `${getTableName(table)}.${key}`);
  const names = columns.map(({ column }) => sql.identifier(column.name));
  const values = places.map((place) => sql.placeholder(place));
  return {
    insert: (from = sql``) => sql`insert into ${table} (${sql.join(names, sql`, `)})
      select ${sql.join(values, sql`, `)} ${from}`,
    places,
    values: (row) => {
      const fields: Readonly<Record<string, unknown>> = row;
      for (const key of Object.keys(fields)) {
        if (!known.has(key)) throw new Error(`${getTableName(table)}.${key} cannot be given`);
      }
      return columns.map(({ key, column }) => {
        const value = fields[key] ?? null;
        return value === null ? null : (column.mapToDriverValue(value) as DriverValue);
      });
    },
  };
}
