import { config } from "@/lib/config";
import { pageLanguage } from "@/lib/psu/page-language";
import type { Language } from "@/lib/psu/texts/language";

/** The sandbox is for developers, and speaks English only. At a real bank customers come by here. */
export async function frontLanguage(): Promise<Language> {
  return config().SANDBOX ? "en" : pageLanguage();
}
