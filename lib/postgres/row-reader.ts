import { Column, type DriverValueDecoder, getTableName, is, SQL } from "drizzle-orm";
import type { PgSession } from "drizzle-orm/pg-core";

/** What a statement selects, in the order of its cells, each with its place in the row. */
export type Fields = NonNullable<Parameters<PgSession["prepareQuery"]>[1]>;

/** By table, whether a join finds a row of it each time; undefined where nothing is joined. */
export type NotNullable = Readonly<Record<string, boolean>> | undefined;

export type Row = Record<string, unknown>;
type Read<Value> = (cells: readonly unknown[]) => Value;

/**
 * Yields what Drizzle itself makes of the cells of a row, but finds out once what it would ask about each
 * cell of each row: where it goes, and by what it is decoded. All rows have their names in one order, so
 * that they are of one shape to V8.
 */
export function rowReader(fields: Fields, notNullable: NotNullable): Read<Row> {
  const cells = fields.map(({ path, field }, at) => ({ path, field, at }));
  return objectReader(cells, 0, notNullable);
}

type Cell = Fields[number] & { readonly at: number };

function objectReader(cells: readonly Cell[], depth: number, notNullable: NotNullable): Read<Row> {
  const names = new Set(cells.map(({ path }) => path[depth]).filter((name) => name !== undefined));
  const parts = [...names].map((name) => {
    const own = cells.filter(({ path }) => path[depth] === name);
    return { name, read: memberReader(own, depth, notNullable) };
  });
  return (values) => {
    const row: Row = {};
    for (const { name, read } of parts) row[name] = read(values);
    return row;
  };
}

function memberReader(
  cells: readonly Cell[],
  depth: number,
  notNullable: NotNullable,
): Read<unknown> {
  const last = cells.at(-1);
  if (last === undefined) throw new Error("a member of a row has no cell");
  if (last.path.length === depth + 1) return cellReader(last);
  const read = objectReader(cells, depth + 1, notNullable);
  const sign = depth === 0 ? signOfNoRow(cells, notNullable) : undefined;
  return sign === undefined ? read : (values) => (values[sign] === null ? null : read(values));
}

function cellReader({ field, at }: Cell): Read<unknown> {
  const decoder = decoderOf(field);
  return (values) => {
    const value = values[at];
    return value === null ? null : decoder.mapFromDriverValue(value);
  };
}

/** The cell that is null where an outer join has found no row, when all the columns are of that row. */
function signOfNoRow(cells: readonly Cell[], notNullable: NotNullable): number | undefined {
  if (notNullable === undefined) return undefined;
  const columns = cells.flatMap(({ path, field, at }) =>
    path.length === 2 && is(field, Column) ? [{ table: getTableName(field.table), at }] : [],
  );
  const [first, ...others] = columns;
  if (first === undefined || others.some(({ table }) => table !== first.table)) return undefined;
  return notNullable[first.table] === true ? undefined : first.at;
}

/** Drizzle's types keep to themselves what an expression is decoded by. */
function decoderOf(field: Cell["field"]): DriverValueDecoder<unknown, unknown> {
  if (is(field, Column)) return field;
  if (!is(field, SQL)) return decoderOf(is(field, SQL.Aliased) ? field.sql : field._.sql);
  const decoder: unknown = Reflect.get(field, "decoder");
  if (!isDecoder(decoder)) throw new Error("an expression has no decoder");
  return decoder;
}

function isDecoder(decoder: unknown): decoder is DriverValueDecoder<unknown, unknown> {
  return typeof decoder === "object" && decoder !== null && "mapFromDriverValue" in decoder;
}
