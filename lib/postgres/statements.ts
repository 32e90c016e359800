import {
  DrizzleQueryError,
  getTableColumns,
  getTableName,
  is,
  Placeholder,
  type Query,
  type SQL,
  sql,
} from "drizzle-orm";
import { PgColumn, type PgTable } from "drizzle-orm/pg-core";
import { PostgresJsSession } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import type { Database } from "./client";

/** What a statement is given, in the order in which it stands there. */
type Given<Rows extends readonly unknown[]> = {
  readonly [At in keyof Rows]: GivenValues<Rows[At]>;
};

const none: readonly DriverValue[] = [];
const options = { prepare: true } as const;

/**
 * A statement that is prepared once for each connection and goes to the driver with its values in their
 * order. Drizzle looks up each of them by its name, in an object that has to be made for it: with the
 * sixty of a payment that takes a tenth of the whole request. Yields the rows that come back. Throws if
 * the statement takes its values from anywhere else, and a DrizzleQueryError for what the database says.
 */
export function givenStatement<const Rows extends readonly unknown[]>(
  db: Database,
  statement: { readonly toSQL: () => Query },
  tables: Given<Rows>,
): (...rows: Rows) => Promise<readonly (readonly unknown[])[]> {
  const { session } = db._;
  if (!is(session, PostgresJsSession)) throw new Error("the database has another driver");
  const { sql, params } = statement.toSQL();
  const places = tables.flatMap((table) => table.places);
  if (!isEqual(params.map(nameOf), places)) {
    throw new Error(`the values of a statement have another order: ${places.join(", ")}`);
  }
  return async (...rows) => {
    const given = tables.map((table, at) => table.values(rows[at]));
    const values = none.concat(...given);
    session.logger.logQuery(sql, values);
    try {
      return await session.client.unsafe(sql, values, options).values();
    } catch (error) {
      throw new DrizzleQueryError(sql, values, error instanceof Error ? error : undefined);
    }
  };
}

function nameOf(param: unknown): string | undefined {
  return is(param, Placeholder) ? param.name : undefined;
}

function isEqual(names: readonly (string | undefined)[], places: readonly string[]): boolean {
  return names.length === places.length && names.every((name, at) => name === places[at]);
}

/** A value as the driver takes it, which Drizzle's columns make and call unknown. */
type DriverValue = postgres.ParameterOrJSON<never>;

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
