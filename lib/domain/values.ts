/** A string that has been checked to be what its name says. */
export type Branded<Name extends string> = string & { readonly __brand: Name };

/** organizationIdentifier of the TPP's certificates, e.g. `PSDRO-NBR-1234567`; also its OAuth `client_id`. */
export type TppId = Branded<"TppId">;
export type ConsentId = Branded<"ConsentId">;
export type PaymentId = Branded<"PaymentId">;
/** `X-Request-ID` of a TPP's request, lower case. */
export type RequestId = Branded<"RequestId">;
export type AuthorisationId = Branded<"AuthorisationId">;
/** The bank's own key of a PSU; never shown to a TPP. */
export type PsuId = Branded<"PsuId">;
/** The bank's own key of an account or sub-account; never shown to a TPP. */
export type AccountId = Branded<"AccountId">;
/** What a TPP sees in place of an account: random for each consent and account, so it links nothing. */
export type ResourceId = Branded<"ResourceId">;
/** Stays the same from pending to booked and over the years. */
export type TransactionId = Branded<"TransactionId">;
/** Where a following page of a report begins, in the books as they were at the first; the core bank alone reads it. */
export type ReportCursor = Branded<"ReportCursor">;
/** In the core bank's feed of payments that have changed; the core bank alone reads it. */
export type ChangePosition = Branded<"ChangePosition">;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Ids that travel in paths and scopes are UUID v4: unguessable, without blank or colon. */
export const newConsentId = () => crypto.randomUUID() as string as ConsentId;
export const newPaymentId = () => crypto.randomUUID() as string as PaymentId;
export const newAuthorisationId = () => crypto.randomUUID() as string as AuthorisationId;
export const newResourceId = () => crypto.randomUUID() as string as ResourceId;

/** An IBAN in upper case without blanks whose country length and check digits are right. */
export type Iban = Branded<"Iban">;

/** In groups of four, as people read it. */
export function spacedIban(iban: Iban): string {
  return iban.replace(/(.{4})(?=.)/g, "$1 ");
}

/** ISO 4217 code, three capital letters. */
export type Currency = Branded<"Currency">;

/** Money is never a float: a BigInt of the currency's minor units, by ISO 4217. */
export type Money = { readonly currency: Currency; readonly minorUnits: bigint };

/** Of every currency that this bank keeps accounts and pays in; another core bank may have others. */
const FRACTION_DIGITS = 2;

const withoutFraction = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const withThreeDigits = "BHD IQD JOD KWD LYD OMR TND";
/** ISO 4217; not by Intl, whose digits are those of a shop's prices: HUF has none there. */
const fractionDigits = new Map<string, number>([
  ...withoutFraction.split(" ").map((currency) => [currency, 0] as const),
  ...withThreeDigits.split(" ").map((currency) => [currency, 3] as const),
]);

/** ISO 4217: 2 of RON, 0 of JPY, 3 of BHD. */
export function fractionDigitsOf(currency: Currency): number {
  return fractionDigits.get(currency) ?? FRACTION_DIGITS;
}

const AMOUNT = /^(?<sign>-?)(?<whole>\d{1,14})(?:\.(?<fraction>\d{1,3}))?$/;

/** `12.5` in minor units, or undefined when the text is not an exact amount of this scale. */
export function parseAmount(text: string, digits = FRACTION_DIGITS): bigint | undefined {
  const { sign, whole, fraction = "" } = AMOUNT.exec(text)?.groups ?? {};
  if (whole === undefined || fraction.length > digits) return undefined;
  const minorUnits = BigInt(whole + fraction.padEnd(digits, "0"));
  return sign === "-" ? -minorUnits : minorUnits;
}

/** Dot as separator, always as many fraction digits: the form of the standard's `amount`. */
export function formatAmount(minorUnits: bigint, digits = FRACTION_DIGITS): string {
  const sign = minorUnits < 0n ? "-" : "";
  const all = (minorUnits < 0n ? -minorUnits : minorUnits).toString().padStart(digits + 1, "0");
  return digits === 0 ? `${sign}${all}` : `${sign}${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

/** The amount without its currency, with as many fraction digits as the currency has. */
export function amountOf({ currency, minorUnits }: Money): string {
  return formatAmount(minorUnits, fractionDigitsOf(currency));
}

/** A calendar day `YYYY-MM-DD` that exists. Days compare as their texts do. */
export type IsoDate = Branded<"IsoDate">;

/** PostgreSQL has no year 0. */
const ISO_DATE = /^(?!0000)\d{4}-\d{2}-\d{2}$/;

/** The day named by the text, or undefined when there is no such day (2026-02-30, 26-1-1). */
export function parseIsoDate(text: string): IsoDate | undefined {
  if (!ISO_DATE.test(text)) return undefined;
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
let latestDay = { timeZone: "none", quarter: Number.NaN, day: "none" };

/** The day it is at this instant in the given time zone (IANA name): the bank's days are local days. */
export function dayIn(timeZone: string, instant: Date): IsoDate {
  const quarter = Math.floor(instant.getTime() / QUARTER_MILLISECONDS);
  // Every request asks for the day of the same few minutes.
  if (latestDay.quarter !== quarter || latestDay.timeZone !== timeZone) {
    latestDay = { timeZone, quarter, day: calendarOf(timeZone).format(instant) };
  }
  return latestDay.day as IsoDate;
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

/** `17:30`: the local time at this instant. */
export function timeIn(timeZone: string, instant: Date): string {
  const format = { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en-GB", format).format(instant);
}

/** The days that consents end on, as a rule; a few hundred of them lie within their longest life. */
const DAY_ENDS_MAX = 1_000;
const dayEnds = new Map<string, number>();

/** The first instant after a local day; exact on the days that are 23 or 25 hours long. */
export function endOfDayIn(timeZone: string, day: IsoDate): Date {
  const key = `${day} ${timeZone}`;
  let end = dayEnds.get(key);
  if (end === undefined) {
    end = startOfDayIn(timeZone, addDays(day, 1)).getTime();
    if (dayEnds.size >= DAY_ENDS_MAX) dayEnds.clear();
    dayEnds.set(key, end);
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

/**
 * A request reads the clock once and passes `now` on as a value, so that every decision within it is made at the
 * same instant; nothing else reads the machine's clock.
 */
export type Clock = {
  /** The bank's time, or that of a TPP, which differs only where a sandbox's TPP has a clock of its own. */
  readonly now: (tppId?: TppId) => Promise<Date>;
};

const MILLISECONDS = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export function addTime(instant: Date, amount: number, unit: keyof typeof MILLISECONDS): Date {
  return new Date(instant.getTime() + amount * MILLISECONDS[unit]);
}

/** What the sandbox's clock says, and how far it was moved; without an offset it was not. */
export type ClockReading = { readonly now: Date; readonly offsetMilliseconds?: number };

/**
 * The sandbox's clock, which can be moved, since nobody can wait 180 days to see a consent end. It runs on from the
 * instant it was moved to.
 */
export type MovableClock = Clock & {
  readonly read: () => Promise<ClockReading>;
  readonly moveTo: (instant: Date) => Promise<ClockReading>;
  /** Relative to where the clock is, so that concurrent advances add up. Undefined past `clockRange`. */
  readonly advance: (milliseconds: number) => Promise<ClockReading | undefined>;
  readonly reset: () => Promise<ClockReading>;
};

/** With the clocks of the TPPs that have one of their own, ahead of it. */
export type SandboxClock = MovableClock & {
  /** How far a TPP's own clock is ahead of this one, in seconds; 0 for one that has none. */
  readonly aheadOf: (tppId: TppId) => Promise<number>;
  /** With 0 the TPP goes by this clock again. False where too many TPPs have one of their own. */
  readonly setAhead: (tppId: TppId, seconds: number) => Promise<boolean>;
  /** Each TPP that has one of its own, and its time. */
  readonly tppClocks: () => Promise<readonly { readonly tppId: TppId; readonly now: Date }[]>;
};

/** Years of four digits, also after a consent's days are added. */
export const clockRange = {
  from: new Date("2000-01-01T00:00:00Z"),
  to: new Date("2999-12-31T23:59:59Z"),
} as const;

/** base64url of the SHA-256 of a text. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return base64url(new Uint8Array(digest));
}

/** Without padding, RFC 4648 5. */
export function base64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
