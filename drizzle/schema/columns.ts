import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { timestamp } from "drizzle-orm/pg-core";

/** An instant as the domain knows it: a `Date`, to the millisecond. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, mode: "date", precision: 3 });

/** The CHECK of a column whose values are the keys of one of the domain's tables, never input. */
export function oneOf(column: SQLWrapper, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
}
