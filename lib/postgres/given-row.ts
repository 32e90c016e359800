import { getTableColumns, getTableName, is, type SQL, sql } from "drizzle-orm";
import { PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type postgres from "postgres";

/** A value as the driver takes it, which Drizzle's columns make and call unknown. */
export type DriverValue = postgres.ParameterOrJSON<never>;

/** Values that are given when a statement is executed. */
export type GivenValues<Row> = {
  /** Their names in the statement, in their order. */
  readonly places: readonly string[];
  /**
   * What the driver is given for a row, in the order of the places. Throws for a column with a default:
   * it would be lost.
   */
  values(row: Row): readonly DriverValue[];
};

/** Rows of a table that are given when a statement is executed: one statement can have several inserts. */
export type GivenTable<Row> = GivenValues<Row> & {
  /** `insert into … select …` of one row for each row `from` something, all columns but those with a default. */
  readonly insert: (from?: SQL) => SQL;
};

type Computed = { readonly column: PgColumn; readonly value: SQL };

/** What is `computed` is not given: the statement works it out. */
export function givenTable<T extends PgTable>(
  table: T,
  ...computed: readonly Computed[]
): GivenTable<T["$inferInsert"]> {
  const worked = new Set(computed.map(({ column }) => column.name));
  const columns = Object.entries(getTableColumns<PgTable>(table)).flatMap(([key, column]) =>
    is(column, PgColumn) && !column.hasDefault && !worked.has(column.name) ? [{ key, column }] : [],
  );
  const known = new Set(columns.map(({ key }) => key));
  const places = columns.map(({ key }) => `${getTableName(table)}.${key}`);
  const names = [...columns, ...computed].map(({ column }) => sql.identifier(column.name));
  const values = [
    ...places.map((place) => sql.placeholder(place)),
    ...computed.map(({ value }) => value),
  ];
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
