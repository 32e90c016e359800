import type { Texts } from "./en";
import { english } from "./en";
import type { Language } from "./formats";
import { romanian } from "./ro";

const catalogues: Readonly<Record<Language, Texts>> = { en: english, ro: romanian };

/** Everything the pages say, and the text messages. Which language it is, `requestLanguage` says. */
export function textsFor(language: Language): Texts {
  return catalogues[language];
}
