import type { Language } from "@/lib/psu/texts/formats";
import { english, type StaffTexts } from "./en";
import { romanian } from "./ro";

const catalogues: Readonly<Record<Language, StaffTexts>> = { en: english, ro: romanian };

export function staffTextsFor(language: Language): StaffTexts {
  return catalogues[language];
}
