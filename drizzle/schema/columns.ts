import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { bigint, char, date, text, timestamp, varchar } from "drizzle-orm/pg-core";
import { CORE_BANK_ID_CHARACTERS_MAX } from "../../lib/domain/core-bank";
import type { Currency, Iban, IsoDate, PsuId } from "../../lib/domain/values";

/** An instant as the domain knows it: a `Date`, to the millisecond. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, mode: "date", precision: 3 });

export const day = (name: string) => date(name, { mode: "string" }).$type<IsoDate>();
export const minorUnits = (name: string) => bigint(name, { mode: "bigint" });
export const currency = (name: string) => char(name, { length: 3 }).$type<Currency>();
export const iban = (name: string) => varchar(name, { length: 34 }).$type<Iban>();
export const psuId = () => text("psu_id").$type<PsuId>();

/** An id that the core bank gives out. No foreign key: its tables, if it has any, are its own. */
export const coreBankId = (name: string) => varchar(name, { length: CORE_BANK_ID_CHARACTERS_MAX });

/** The CHECK of two columns of one thing. */
export function bothOrNeither(one: SQLWrapper, other: SQLWrapper): SQL {
  return sql`(${one} is null) = (${other} is null)`;
}

/** The CHECK of a column whose values are the keys of one of the domain's tables, never input. */
export function oneOf(column: SQLWrapper, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
}
