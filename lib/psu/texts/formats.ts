import type { ExchangeRate } from "@/lib/domain/core-bank";
import type { Creditor } from "@/lib/domain/payment-order";
import type { Permission } from "@/lib/domain/permissions";
import { type ShownName, shownName } from "@/lib/domain/shown-name";
import type { Tpp } from "@/lib/domain/tpp";
import {
  amountOf,
  type Branded,
  dayIn,
  fractionDigitsOf,
  type IsoDate,
  type Money,
} from "@/lib/domain/values";

type Formats = {
  readonly locale: string;
  readonly and: string;
  readonly quotes: readonly [string, string];
  /** In a text message, where a sign that GSM 7 bit lacks makes it a message of more parts. */
  readonly messageQuotes: readonly [string, string];
};

/**
 * A TPP's or a payee's name in quotation marks, which tell what a stranger wrote from what the bank says. On the PSU's
 * pages it stands in them everywhere, alone in a list of terms too: nothing there would mark it as the TPP's words
 * otherwise. It is a type of its own so that no sentence takes a name without them.
 */
export type QuotedName = Branded<"QuotedName">;

/** A name that is cleaned and bounded already, see names-on-pages. */
export function quoted({ quotes: [open, close] }: Formats, name: string): QuotedName {
  return `${open}${name}${close}` as QuotedName;
}

/** Characters of a name on a page and in a text message; spelled-out ones are counted as they are written. */
const ON_PAGE_MAX = 70;
const IN_TEXT_MESSAGE_MAX = 40;

/** In a text message, which is shorter. */
export function quotedInMessage(formats: Formats, name: string): string {
  const { locale, messageQuotes } = formats;
  const shown = shownName(name, { charactersMax: IN_TEXT_MESSAGE_MAX, language: locale });
  return quoted({ ...formats, quotes: messageQuotes }, shown);
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

/** `8 hours and 20 minutes` */
export function duration(formats: Formats, minutes: number): string {
  const parts = [
    ["hour", Math.floor(minutes / 60)],
    ["minute", minutes % 60],
  ] as const;
  const said = parts
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => {
      const format = { style: "unit", unit, unitDisplay: "long" } as const;
      return new Intl.NumberFormat(formats.locale, format).format(count);
    });
  return listed(formats, said);
}

/** All digits as they are, in groups, and the currency's code: `1,234.50 RON`. */
export function money({ locale }: Formats, shown: Money): string {
  const digits = fractionDigitsOf(shown.currency);
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  // As text, since a float would lose digits.
  const exact = amountOf(shown) as `${number}`;
  return `${new Intl.NumberFormat(locale, format).format(exact)} ${shown.currency}`;
}

/** `1 EUR = 5.09 RON`; a rate is exact, so none of its digits is rounded away. */
export function exchangeRate({ locale }: Formats, { from, to, rate }: ExchangeRate): string {
  const exact = rate as `${number}`;
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 12 });
  return `1 ${from} = ${format.format(exact)} ${to}`;
}

/** The name of a country by its ISO 3166 code; the code where there is none. */
export function regionName({ locale }: Formats, country: string): string {
  return new Intl.DisplayNames(locale, { type: "region" }).of(country) ?? country;
}

/** What the pages are written in, by ISO 639 code; the first of the list is shown first. */
export const languages = ["ro", "en"] as const;
export type Language = (typeof languages)[number];

/** Each in itself, for readers of that language look for it (so it is in no catalogue). */
export const languageNames: Readonly<Record<Language, string>> = { ro: "Română", en: "English" };

/** The language of that exact code, as our own forms and cookies name it. */
export function languageOf(code: unknown): Language | undefined {
  return languages.find((language) => language === code);
}

/** A TPP's or payee's name as pages and files show it; to be applied once, where its row is read. */
export function nameOnPage(name: string, language: Language): ShownName {
  return shownName(name, { charactersMax: ON_PAGE_MAX, language });
}

export function tppOnPage(tpp: Tpp, language: Language): Tpp {
  const { name, authorityName } = tpp;
  return {
    ...tpp,
    name: nameOnPage(name, language),
    authorityName: nameOnPage(authorityName, language),
  };
}

export function creditorOnPage(creditor: Creditor, language: Language): Creditor {
  return { ...creditor, name: nameOnPage(creditor.name, language) };
}

export function permissionOnPage(permission: Permission, language: Language): Permission {
  const tpp = tppOnPage(permission.tpp, language);
  if (permission.kind !== "payments") return { ...permission, tpp };
  const { payment } = permission;
  const creditor = creditorOnPage(payment.order.creditor, language);
  return { ...permission, tpp, payment: { ...payment, order: { ...payment.order, creditor } } };
}
