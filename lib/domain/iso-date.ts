import type { Branded } from "./identifiers";

/** A calendar day `YYYY-MM-DD` that exists. Days compare as their texts do. */
export type IsoDate = Branded<"IsoDate">;

const SHAPE = /^\d{4}-\d{2}-\d{2}$/;

/** The day named by the text, or undefined when there is no such day (2026-02-30, 26-1-1). */
export function parseIsoDate(text: string): IsoDate | undefined {
  if (!SHAPE.test(text)) return undefined;
  const instant = new Date(`${text}T00:00:00Z`);
  const exists = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
  return exists ? (text as IsoDate) : undefined;
}

export function addDays(day: IsoDate, days: number): IsoDate {
  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return instant.toISOString().slice(0, 10) as IsoDate;
}

/** The day it is at this instant in the given time zone (IANA name): the bank's days are local days. */
export function dayIn(timeZone: string, instant: Date): IsoDate {
  return calendarOf(timeZone).format(instant) as IsoDate;
}

// To make a formatter costs a hundred times as much as to use it, and a bank has one time zone.
const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known !== undefined) return known;
  const twoDigits = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const made = new Intl.DateTimeFormat("en-CA", { timeZone, ...twoDigits });
  calendars.set(timeZone, made);
  return made;
}

/** The first instant of a local day; exact on the days that are 23 or 25 hours long. */
export function startOfDayIn(timeZone: string, day: IsoDate): Date {
  let low = Date.parse(`${day}T00:00:00Z`) - 15 * 3_600_000;
  let high = low + 30 * 3_600_000;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayIn(timeZone, new Date(middle)) < day) low = middle;
    else high = middle;
  }
  return new Date(high);
}
