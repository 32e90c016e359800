import { SWITCH_PATH } from "@/lib/psu/switch-path";
import { languageNames, languages } from "@/lib/psu/texts/language";
import type { Texts } from "@/lib/psu/texts/texts";
import { TextButton } from "./text-button";

type Props = {
  readonly texts: Texts;
  /** The page it stands on: one that `ownPage` knows. */
  readonly path: string;
};

/** Every language by its own name; the one that is read now is no button. */
export function LanguageSwitch({ texts, path }: Props) {
  return (
    <form
      className="flex items-center gap-x-3 print:hidden"
      method="post"
      action={SWITCH_PATH}
      aria-label={texts.frame.language}
    >
      <input type="hidden" name="back" value={path} />
      {languages.map((language) =>
        language === texts.lang ? (
          <span key={language} lang={language} aria-current="true">
            {languageNames[language]}
          </span>
        ) : (
          <TextButton key={language} name="language" value={language} lang={language}>
            {languageNames[language]}
          </TextButton>
        ),
      )}
    </form>
  );
}
