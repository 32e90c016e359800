import { DrizzleQueryError, is, Param, Placeholder, type Query } from "drizzle-orm";
import type { PgPreparedQuery, PreparedQueryConfig } from "drizzle-orm/pg-core";
import type postgres from "postgres";
import type { Database } from "./client";
import { type Fields, type NotNullable, rowReader } from "./row-reader";
import { sentOnce } from "./sent-once";

type PrepareQuery = Database["_"]["session"]["prepareQuery"];
type Given = Readonly<Record<string, unknown>>;
type Run = (given?: Given) => Promise<unknown>;

/**
 * The same database, whose prepared statements go straight to the driver: Drizzle writes their text, and
 * how their values are encoded and their rows are decoded is looked up once for each statement and not at
 * each execution. What has no name, and what is prepared within a transaction, Drizzle executes itself.
 */
export function executingPrepared(db: Database, client: postgres.Sql): Database {
  const { session } = db._;
  const prepareQuery: PrepareQuery = session.prepareQuery.bind(session);
  const preparing = <T extends PreparedQueryConfig>(
    ...given: Parameters<PrepareQuery>
  ): PgPreparedQuery<T> => {
    const [query, fields, name, , mapper] = given;
    const prepared = prepareQuery<T>(...given);
    if (name === undefined || mapper !== undefined) return prepared;
    // Drizzle says only after it has been prepared which of its tables are joined.
    const joined = () => Reflect.get(prepared, "joinsNotNullableMap") as NotNullable;
    return Object.assign(prepared, { execute: running(client, query, fields, joined) });
  };
  session.prepareQuery = preparing;
  return db;
}

const PREPARED = { prepare: true } as const;

/** Rejects with a DrizzleQueryError, whose cause is the driver's. */
function running(
  client: postgres.Sql,
  query: Query,
  fields: Fields | undefined,
  joined: () => NotNullable,
): Run {
  const { sql: text, params } = sentOnce(query);
  const values = params.map(givenFor);
  let reader: ReturnType<typeof rowReader> | undefined;
  return async (given = {}) => {
    const sent = values.map((value) => value(given)) as postgres.ParameterOrJSON<never>[];
    const asked = client.unsafe(text, sent, PREPARED);
    if (fields === undefined) return wrapping(asked);
    const rows = await wrapping(asked.values());
    reader ??= rowReader(fields, joined());
    const read = rows.map(reader);
    forget(rows);
    return read;

    async function wrapping<Rows>(asking: PromiseLike<Rows>): Promise<Rows> {
      try {
        return await asking;
      } catch (error) {
        throw new DrizzleQueryError(text, sent, error instanceof Error ? error : undefined);
      }
    }
  };
}

/**
 * The driver (postgres.js 3.4.9) makes two closures for each statement, as values of properties. V8 takes such
 * functions for methods and puts them where only a full collection comes by; they keep the statement until then,
 * and it its rows: a page of an account for a second or more, after which there is so much of it that the next full
 * collection is due.
 */
function forget(rows: unknown[]): void {
  rows.length = 0;
}

/** A value that is given at each execution by its name, encoded for its column if it has one; or a fixed one. */
function givenFor(param: unknown): (given: Given) => unknown {
  if (is(param, Placeholder)) return named(param.name);
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { encoder } = param;
    const value = named(param.value.name);
    return (given) => encoder.mapToDriverValue(value(given));
  }
  return () => param;
}

/** Throws for a name that nothing is given for; a given `undefined` is refused by the driver. */
function named(name: string): (given: Given) => unknown {
  return (given) => {
    const value = given[name];
    if (value === undefined && !(name in given)) {
      throw new Error(`No value for placeholder "${name}" was provided`);
    }
    return value;
  };
}
