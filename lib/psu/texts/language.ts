/** What the pages are written in, by ISO 639 code; the first of the list is shown first. */
export const languages = ["ro", "en"] as const;
export type Language = (typeof languages)[number];

/** Each in itself, for readers of that language look for it (so it is in no catalogue). */
export const languageNames: Readonly<Record<Language, string>> = { ro: "Română", en: "English" };

/** The language of that exact code, as our own forms and cookies name it. */
export function languageOf(code: unknown): Language | undefined {
  return languages.find((language) => language === code);
}
