import { readForm } from "./form-body";
import type { PsuHouse } from "./house";
import { NO_PAGE, ownPage } from "./own-page";
import { chooseLanguage } from "./request-language";
import { isFromOurPages } from "./same-origin";
import { seeOther } from "./see-other";
import { languageOf } from "./texts/language";

/** The PSU's choice of a language: kept in the browser, and back to the page on which it was made. */
export async function switchLanguage(
  { config, profile }: Pick<PsuHouse, "config" | "profile">,
  request: Request,
): Promise<Response> {
  const ours = isFromOurPages(request.headers, config.WEB_URL);
  const form = ours ? await readForm(request, profile.request.bodyBytesMax) : undefined;
  if (form === undefined) return seeOther(NO_PAGE);
  const language = languageOf(form.get("language"));
  const cookies = language === undefined ? [] : [chooseLanguage(config, language)];
  return seeOther(ownPage(form.get("back")), cookies);
}
