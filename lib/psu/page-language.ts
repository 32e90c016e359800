import { headers } from "next/headers";
import { config } from "@/lib/config";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { requestLanguage } from "./request-language";
import type { Language } from "./texts/language";

/** The language of a page that stands alone. It asks no database: the page may be there to say there is none. */
export async function pageLanguage(uiLocales?: string): Promise<Language> {
  return requestLanguage({ config: config(), profile: aspspProfile }, await headers(), uiLocales);
}
