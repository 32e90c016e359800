import { DrizzleQueryError, is, Placeholder, type Query } from "drizzle-orm";
import { PostgresJsSession } from "drizzle-orm/postgres-js";
import type { Database } from "./client";
import type { DriverValue, GivenValues } from "./given-row";

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
