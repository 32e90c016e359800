import { DrizzleQueryError, is, Param, Placeholder, type Query } from "drizzle-orm";
import type { PgPreparedQuery, PreparedQueryConfig } from "drizzle-orm/pg-core";
import type postgres from "postgres";
import type { Database } from "./client";
import { type Fields, type NotNullable, rowReader } from "./row-reader";

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
  session.prepareQuery = <T extends PreparedQueryConfig>(
    ...given: Parameters<PrepareQuery>
  ): PgPreparedQuery<T> => {
    const [query, fields, name, , mapper] = given;
    const prepared = prepareQuery<T>(...given);
    if (name === undefined || mapper !== undefined) return prepared;
    // Drizzle says only after it has been prepared which of its tables are joined.
    const joined = () => Reflect.get(prepared, "joinsNotNullableMap") as NotNullable;
    return Object.assign(prepared, { execute: running(client, query, fields, joined) });
  };
  return db;
}

const PREPARED = { prepare: true } as const;

/** Rejects with a DrizzleQueryError, whose cause is the driver's. */
function running(
  client: postgres.Sql,
  { sql: text, params }: Query,
  fields: Fields | undefined,
  joined: () => NotNullable,
): Run {
  const values = params.map(givenFor);
  let reader: ReturnType<typeof rowReader> | undefined;
  return async (given = {}) => {
    const sent = values.map((value) => value(given)) as postgres.ParameterOrJSON<never>[];
    const asked = client.unsafe(text, sent, PREPARED);
    if (fields === undefined) return wrapping(asked);
    const rows = await wrapping(asked.values());
    reader ??= rowReader(fields, joined());
    return rows.map(reader);

    async function wrapping<Rows>(asking: PromiseLike<Rows>): Promise<Rows> {
      try {
        return await asking;
      } catch (error) {
        throw new DrizzleQueryError(text, sent, error instanceof Error ? error : undefined);
      }
    }
  };
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
