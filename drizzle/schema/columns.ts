import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { timestamp, varchar } from "drizzle-orm/pg-core";
import { CORE_BANK_ID_CHARACTERS_MAX } from "../../lib/domain/core-bank";

/** An instant as the domain knows it: a `Date`, to the millisecond. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, mode: "date", precision: 3 });

/** An id that the core bank gives out. No foreign key: its tables, if it has any, are its own. */
export const coreBankId = (name: string) => varchar(name, { length: CORE_BANK_ID_CHARACTERS_MAX });

/** The CHECK of a column whose values are the keys of one of the domain's tables, never input. */
export function oneOf(column: SQLWrapper, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
}
