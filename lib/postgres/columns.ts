import { type Column, getTableColumns, getTableName, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type postgres from "postgres";
import { isUuid } from "@/lib/domain/values";
import type { Database } from "./client";

type Values = Readonly<Record<string, unknown>> & { readonly id?: unknown };

/** A table that is joined under this alias: the columns to select, and the row that the driver makes of them. */
export function joined<Table extends PgTable>(table: Table, alias: string) {
  const columns = Object.entries(getTableColumns(table));
  return {
    selection: columns.map(([name, { name: own }]) => `${alias}.${own} as "${name}"`).join(", "),
    /** Undefined when the join has found none. */
    read: (row: Values): Table["$inferSelect"] | undefined => {
      if (row.id === null) return undefined;
      const values = columns.map(([name, column]) => {
        const value = row[name];
        return [name, value === null ? null : column.mapFromDriverValue(value)];
      });
      return Object.fromEntries(values);
    },
  };
}

type Oldest = {
  /** Of the primary key. */
  readonly key: readonly [PgColumn, ...PgColumn[]];
  readonly orderBy: PgColumn;
  readonly limit: number;
};

/** Deletes rows, `limit` at most, so that no sweep holds many of them for long; yields how many. */
export async function deleteOldest(
  db: Database,
  table: PgTable,
  where: SQL | undefined,
  { key, orderBy, limit }: Oldest,
): Promise<number> {
  const columns = sql.join([...key], sql`, `);
  const oldest = sql`(${columns}) in (
    select ${columns} from ${table} where ${where} order by ${orderBy} limit ${limit} for update skip locked)`;
  return (await db.delete(table).where(oldest)).count;
}

/** For `on conflict do update`: these columns as the row has them that was to be inserted. */
export function excluded<Table extends PgTable, Name extends keyof Table["_"]["columns"] & string>(
  table: Table,
  names: readonly Name[],
) {
  const columns: Record<string, PgColumn> = getTableColumns(table);
  return Object.fromEntries(
    names.map((name) => [name, sql`excluded.${sql.identifier(columns[name]?.name ?? name)}`]),
  ) as Record<Name, SQL>;
}

/** An instant as a text to the microsecond; these have the order of the instants. */
export const utcText = (instant: SQL) =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

type Row<Table extends PgTable> = {
  readonly [Name in keyof Table["$inferInsert"]]: Table["$inferInsert"][Name] | postgres.Fragment;
};

/**
 * The INSERT of one row, of values and of fragments of SQL; the statement it is part of adds the FROM. Columns with a
 * default have it. What else a row is without is null, so that the text is always the same and stays prepared.
 */
export function rowInserter<Table extends PgTable>(table: Table) {
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => !column.hasDefault);
  const [first, ...others] = columns.map(([, column]) => column.name);
  const head = `insert into ${getTableName(table)} (${[first, ...others].join(", ")}) select `;
  // As of a template literal: a fragment for each value takes four times as long.
  const texts = [head, ...others.map(() => ", "), ""];
  const template = Object.assign(texts, { raw: texts });
  return (tag: postgres.Sql, row: Row<Table>): postgres.Fragment => {
    const given = new Map<string, unknown>(Object.entries(row));
    const values = columns.map(([name, column]) => toParameter(given.get(name) ?? null, column));
    return tag(template, ...values);
  };
}

/** A fragment, like any query of the driver, is a promise. */
function toParameter(value: unknown, column: Column): postgres.ParameterOrFragment<never> {
  const isWritten = value === null || value instanceof Promise;
  return (
    isWritten ? value : column.mapToDriverValue(value)
  ) as postgres.ParameterOrFragment<never>;
}

type Statement<Row> = {
  readonly execute: (values: Readonly<Record<string, unknown>>) => Promise<readonly Row[]>;
};

/** An id that is no UUID finds nothing: it is answered like any other unknown one. */
export function finder<Row, Found>(statement: Statement<Row>, read: (row: Row) => Found) {
  return async (
    id: string,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<Found | undefined> => {
    if (!isUuid(id)) return undefined;
    const [row] = await statement.execute({ id, ...more });
    return row && read(row);
  };
}
