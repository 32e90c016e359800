import { headers } from "next/headers";
import type { Authorisation } from "@/lib/domain/authorisation";
import { pageServices } from "./page-services";
import { cookieName, readCookie, setCookie } from "./session";
import { type Language, languageOf } from "./texts/formats";

type Where = {
  readonly config: { readonly WEB_URL: string };
  readonly profile: {
    readonly defaultLanguage: Language;
    readonly languages: readonly Language[];
  };
};

/**
 * Decides the language of pages and messages: the PSU's own choice, then what the
 * TPP knows of its customer (`uiLocales`, see `localesOf`), then what the
 * browser says, then the bank's own. Whatever they hold, it is one of ours.
 */
export function requestLanguage(
  { config, profile }: Where,
  headers: Pick<Headers, "get">,
  uiLocales?: string | undefined,
): Language {
  const { defaultLanguage, languages: offered } = profile;
  const chosen = languageOf(readCookie(headers.get("cookie"), cookieName(config.WEB_URL, COOKIE)));
  return (
    offered.find((language) => language === chosen) ??
    (uiLocales === undefined ? undefined : firstOf(uiLocales, offered)) ??
    mostWanted(headers.get("accept-language") ?? "*", [defaultLanguage, ...offered]) ??
    defaultLanguage
  );
}

const COOKIE = "language";
const CHOICE_SECONDS = 365 * 86_400;

/** The Set-Cookie that keeps the PSU's choice in this browser for a year. */
export function chooseLanguage({ WEB_URL }: Where["config"], language: Language): string {
  return setCookie(WEB_URL, { name: COOKIE, value: language, seconds: CHOICE_SECONDS });
}

/** No browser sends more; the rest is not read. */
const CHARACTERS_MAX = 1_000;

/**
 * What came to the authorisation server as `ui_locales`, and otherwise the language that the PSU's browser wants most by
 * the TPP's request.
 */
export function localesOf(
  uiLocales: string | undefined,
  { acceptLanguage }: Pick<Authorisation, "acceptLanguage">,
  offered: readonly Language[],
): string | undefined {
  if (uiLocales !== undefined || acceptLanguage === undefined) return uiLocales;
  return mostWantedOf(languagesIn(rangesOf(acceptLanguage), offered));
}

/**
 * The first of our languages in a list of tags, separated by blanks, most wanted first (OIDC's
 * `ui_locales`). `ro-RO` and `ro_RO` mean `ro`: a tag is looked up by its beginning (RFC 4647 3.4).
 */
function firstOf(tags: string, offered: readonly Language[]): Language | undefined {
  const asked = tags.slice(0, CHARACTERS_MAX).split(/\s+/);
  const found = asked.map((tag) => lookUp(tag, offered));
  return found.find((language) => language !== undefined);
}

/**
 * The most wanted of our languages by an `Accept-Language` header (RFC 9110 12.5.4): by quality, then
 * by place. `*` speaks for those that are not named, in the order in which they are offered.
 * Undefined when none is wanted.
 */
function mostWanted(header: string, offered: readonly Language[]): Language | undefined {
  const ranges = rangesOf(header);
  const named = languagesIn(ranges, offered);
  const quality = ranges.find(({ tag }) => tag === "*")?.quality ?? 0;
  const unnamed = offered
    .filter((language) => named.every((one) => one.language !== language))
    .map((language) => ({ language, quality }));
  return mostWantedOf([...named, ...unnamed]);
}

type Wish = { readonly language: Language; readonly quality: number };

function languagesIn(ranges: ReturnType<typeof rangesOf>, offered: readonly Language[]): Wish[] {
  return ranges.flatMap(({ tag, quality }) => {
    const language = lookUp(tag, offered);
    return language === undefined ? [] : [{ language, quality }];
  });
}

function mostWantedOf(wishes: readonly Wish[]): Language | undefined {
  return wishes
    .filter((wish) => wish.quality > 0)
    .toSorted((one, other) => other.quality - one.quality)[0]?.language;
}

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

const rangesOf = (header: string) => header.slice(0, CHARACTERS_MAX).split(",").map(rangeOf);

/** `ro-RO;q=0.8`. What is no quality (RFC 9110 12.4.2) asks for nothing. */
function rangeOf(text: string) {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2) ?? "1";
  return { tag, quality: QUALITY.test(quality) ? Number(quality) : 0 };
}

function lookUp(tag: string, offered: readonly Language[]): Language | undefined {
  const named = tag.toLowerCase().split(/[-_]/, 1)[0];
  return offered.find((language) => language === named);
}

/** The language of a page without an authorisation. It asks no database: the page may be there because there is none. */
export async function pageLanguage(uiLocales?: string): Promise<Language> {
  return requestLanguage(pageServices(), await headers(), uiLocales);
}
