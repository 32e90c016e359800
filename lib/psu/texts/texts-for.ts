import { bankFile } from "@/lib/profile/in-force";
import type { BankFile } from "@/lib/profile/read";
import type { Texts } from "./en";
import { type Language, languages } from "./formats";
import { catalogues, replaced } from "./replaced";

let made: { readonly of: BankFile; readonly texts: Readonly<Record<Language, Texts>> } | undefined;

/** Everything the pages say, and the text messages. Which language it is, `requestLanguage` says. */
export function textsFor(language: Language): Texts {
  const file = bankFile();
  if (made?.of !== file) {
    const texts = languages.map((one) => [one, replaced(catalogues[one], file.texts[one] ?? {})]);
    made = { of: file, texts: Object.fromEntries(texts) };
  }
  return made.texts[language];
}
