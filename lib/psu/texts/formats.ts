import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { dayIn, type IsoDate } from "@/lib/domain/iso-date";
import { FRACTION_DIGITS, formatAmount, type Money } from "@/lib/domain/money";
import { shownName } from "@/lib/domain/shown-name";

export type Formats = {
  readonly locale: string;
  readonly and: string;
  readonly quotes: readonly [string, string];
};

/** In a text message, where nothing but these signs tells a stranger's words from the bank's. */
export function quotedName({ locale, quotes: [open, close] }: Formats, name: string): string {
  const charactersMax = aspspProfile.names.inTextMessageCharactersMax;
  return `${open}${shownName(name, { charactersMax, language: locale })}${close}`;
}

export function day({ locale }: Formats, date: IsoDate): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return format.format(new Date(`${date}T00:00:00Z`));
}

export function time({ locale }: Formats, instant: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone });
  return format.format(instant);
}

export function dayAndTime(formats: Formats, instant: Date, timeZone: string): string {
  return `${day(formats, dayIn(timeZone, instant))}, ${time(formats, instant, timeZone)}`;
}

/** `a, b and c` */
export function listed({ and }: Formats, parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${and} ${parts.at(-1)}`;
}

/** All digits as they are, in groups, and the currency's code: `1,234.50 RON`. */
export function money({ locale }: Formats, { currency, minorUnits }: Money): string {
  const digits = { minimumFractionDigits: FRACTION_DIGITS, maximumFractionDigits: FRACTION_DIGITS };
  // As text, since a float would lose digits.
  const exact = formatAmount(minorUnits) as `${number}`;
  return `${new Intl.NumberFormat(locale, digits).format(exact)} ${currency}`;
}

/** The name of a country by its ISO 3166 code; the code where there is none. */
export function regionName({ locale }: Formats, country: string): string {
  return new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country;
}
