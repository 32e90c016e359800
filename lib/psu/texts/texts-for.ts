import { english } from "./english";
import type { Language } from "./language";
import { romanian } from "./romanian";
import type { Texts } from "./texts";

const catalogues: Readonly<Record<Language, Texts>> = { en: english, ro: romanian };

/** Everything the pages say, and the text messages. Which language it is, `requestLanguage` says. */
export function textsFor(language: Language): Texts {
  return catalogues[language];
}
