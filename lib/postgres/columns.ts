import { type Column, getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type postgres from "postgres";

// For statements that are SQL by hand: what they name and insert is what the table's declaration says.

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

type Row<Table extends PgTable> = {
  readonly [Name in keyof Table["$inferInsert"]]: Table["$inferInsert"][Name] | postgres.Fragment;
};

/**
 * The INSERT of one row, of values and of fragments of SQL; the statement it is part of adds the FROM. Columns with a
 * default have it. What else a row is without is null, so that the text is always the same and stays prepared.
 */
export function rowInserter<Table extends PgTable>(table: Table) {
  const columns = Object.entries(getTableColumns(table)).filter(([, column]) => !column.hasDefault);
  const names = columns.map(([, column]) => column.name).join(", ");
  const head = `insert into ${getTableName(table)} (${names}) select`;
  return (sql: postgres.Sql, row: Row<Table>): postgres.Fragment => {
    const given = new Map<string, unknown>(Object.entries(row));
    const values = columns.map(([name, column], index) => {
      const value = toParameter(given.get(name) ?? null, column);
      return index === 0 ? sql`${value}` : sql`, ${value}`;
    });
    return sql`${sql.unsafe(head)} ${values}`;
  };
}

/** A fragment, like any query of the driver, is a promise. */
function toParameter(value: unknown, column: Column): postgres.ParameterOrFragment<never> {
  const isWritten = value === null || value instanceof Promise;
  return (
    isWritten ? value : column.mapToDriverValue(value)
  ) as postgres.ParameterOrFragment<never>;
}
