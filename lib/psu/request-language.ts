import { isSecure, readCookie, setCookie } from "./cookies";
import { firstOf, mostWanted } from "./language-ranges";
import { type Language, languageOf } from "./texts/language";

type Where = {
  readonly config: { readonly WEB_URL: string };
  readonly profile: { readonly defaultLanguage: Language };
};

/**
 * The one place that decides in which language a PSU is spoken to: the PSU's own choice, then what the
 * TPP knows of its customer (`uiLocales`, as it came to the authorisation server), then what the
 * browser says, then the bank's own. Whatever they hold, it is one of ours.
 */
export function requestLanguage(
  { config, profile }: Where,
  headers: Pick<Headers, "get">,
  uiLocales?: string | undefined,
): Language {
  const { defaultLanguage } = profile;
  return (
    chosenLanguage(headers.get("cookie"), config.WEB_URL) ??
    (uiLocales === undefined ? undefined : firstOf(uiLocales)) ??
    mostWanted(headers.get("accept-language") ?? "*", defaultLanguage) ??
    defaultLanguage
  );
}

const CHOICE_SECONDS = 365 * 86_400;

/** The Set-Cookie that keeps the PSU's choice in this browser for a year. */
export function chooseLanguage({ WEB_URL }: Where["config"], language: Language): string {
  const cookie = { name: cookieName(WEB_URL), value: language, path: "/" };
  return setCookie({ ...cookie, secure: isSecure(WEB_URL), seconds: CHOICE_SECONDS });
}

function chosenLanguage(cookieHeader: string | null, webUrl: string): Language | undefined {
  return cookieHeader === null
    ? undefined
    : languageOf(readCookie(cookieHeader, cookieName(webUrl)));
}

function cookieName(webUrl: string): string {
  return isSecure(webUrl) ? "__Host-drawbridge-language" : "drawbridge-language";
}
