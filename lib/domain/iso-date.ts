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

/** A day begins on a quarter of an hour of UTC, in every zone since zones have been of whole minutes. */
const QUARTER_MILLISECONDS = 900_000;
let lately = { timeZone: "none", quarter: Number.NaN, day: "none" };

/** The day it is at this instant in the given time zone (IANA name): the bank's days are local days. */
export function dayIn(timeZone: string, instant: Date): IsoDate {
  const quarter = Math.floor(instant.getTime() / QUARTER_MILLISECONDS);
  // Every request asks for the day of the same few minutes.
  if (lately.quarter !== quarter || lately.timeZone !== timeZone) {
    lately = { timeZone, quarter, day: calendarOf(timeZone).format(instant) };
  }
  return lately.day as IsoDate;
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

/** The days that consents end on, as a rule; a few hundred of them lie within their longest life. */
const ENDS_MAX = 1_000;
const ends = new Map<string, number>();

/** The first instant after a local day; exact on the days that are 23 or 25 hours long. */
export function endOfDayIn(timeZone: string, day: IsoDate): Date {
  const key = `${day} ${timeZone}`;
  let end = ends.get(key);
  if (end === undefined) {
    end = startOfDayIn(timeZone, addDays(day, 1)).getTime();
    if (ends.size >= ENDS_MAX) ends.clear();
    ends.set(key, end);
  }
  return new Date(end);
}

/** The first instant of a local day. */
export function startOfDayIn(timeZone: string, day: IsoDate): Date {
  return new Date(searchStart(calendarOf(timeZone), day));
}

function searchStart(calendar: Intl.DateTimeFormat, day: IsoDate): number {
  let low = Date.parse(`${day}T00:00:00Z`) - 15 * 3_600_000;
  let high = low + 30 * 3_600_000;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (calendar.format(middle) < day) low = middle;
    else high = middle;
  }
  return high;
}
