import type { ReactNode } from "react";
import { bankFile } from "@/lib/profile/in-force";
import { warningSteps } from "@/lib/psu/browser/time-left";
import type { TimeLimits } from "@/lib/psu/frame";
import { clockNotice } from "@/lib/psu/page-loaders";
import { pageProfile } from "@/lib/psu/page-services";
import { SWITCH_PATH } from "@/lib/psu/paths";
import type { Texts } from "@/lib/psu/texts/en";
import { type Language, languageNames } from "@/lib/psu/texts/formats";
import { Button, TextButton } from "./button";
import { PostForm } from "./form";
import { Document } from "./page";

const STAY_FORM = "stay";

/** At the lower edge of the screen while there is something to say, unless that would be most of it. */
const warning =
  "fixed inset-x-0 bottom-0 z-10 flex flex-wrap items-center justify-center gap-x-5 gap-y-2 border-t-4 border-brand bg-card px-5 py-3 text-body text-ink has-[[data-live]:empty]:sr-only print:hidden [@media(height<30rem)]:static";

type Props = {
  readonly texts: Pick<Texts, "timeLimit">;
  readonly limits: TimeLimits;
  readonly inactivityMinutes: number;
  /** Where more time is asked for. */
  readonly stay: { readonly action: string; readonly token: string };
  /** What the form sends besides. */
  readonly fields?: ReactNode;
  /** What is said of the end that activity does not move. */
  readonly end: Texts["timeLimit"]["request"];
  /** The page's limits in words; an element with `data-limit-text` is kept up to date. */
  readonly children: ReactNode;
  /** Links for after the session's end, and the request's. */
  readonly whenSignedOut: ReactNode;
  readonly whenClosed?: ReactNode;
};

/**
 * Until when a page is open, and the button for more time. Where there is JavaScript it warns before
 * the end (lib/psu/browser/psu.ts); until then the region is empty.
 */
export function TimeLimit({ texts, limits, stay, fields, children, ...after }: Props) {
  const { timeLimit: words } = texts;
  const { signedInSeconds, openSeconds, extendable } = limits;
  const movable = extendable || signedInSeconds !== undefined;
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <p>{children}</p>
        {movable && (
          <PostForm {...stay} id={STAY_FORM}>
            {fields}
            <TextButton>{words.more}</TextButton>
          </PostForm>
        )}
      </div>
      <div
        id="time-limit"
        className={warning}
        data-signed-in-seconds={signedInSeconds}
        data-open-seconds={openSeconds}
        data-extendable={extendable}
      >
        <p data-live aria-live="assertive" />
        <p data-left aria-hidden="true" />
        <div data-for="warned" hidden>
          <Button form={STAY_FORM}>{words.more}</Button>
        </div>
        <div data-for="signed-in" hidden>
          {after.whenSignedOut}
        </div>
        <div data-for="open" hidden>
          {after.whenClosed}
        </div>
        <Announcements texts={texts} end={after.end} inactivityMinutes={after.inactivityMinutes} />
      </div>
    </>
  );
}

/** What the live region may announce, for the script to take it from. */
function Announcements({
  texts,
  end,
  inactivityMinutes,
}: Pick<Props, "texts" | "end" | "inactivityMinutes">) {
  const { signedInLeft, signedOut, extended, failed } = texts.timeLimit;
  return (
    <div hidden>
      {warningSteps.map((step) => (
        <p key={step} data-say={`signed-in-${step}`}>
          {signedInLeft[step]}
        </p>
      ))}
      {warningSteps.map((step) => (
        <p key={step} data-say={`open-${step}`}>
          {end.left[step]}
        </p>
      ))}
      <p data-say="signed-in-0">{signedOut(inactivityMinutes)}</p>
      <p data-say="open-0">{end.over}</p>
      <p data-say="extended">{extended}</p>
      <p data-say="failed">{failed}</p>
    </div>
  );
}

type LanguageSwitchProps = {
  readonly texts: Pick<Texts, "lang"> & { readonly frame: Pick<Texts["frame"], "language"> };
  /** The page it stands on: one that `ownPage` knows. */
  readonly path: string;
  /** Where the form goes. */
  readonly action?: string;
};

/** Every language by its own name; the one that is read now is no button. */
export function LanguageSwitch({ texts, path, action = SWITCH_PATH }: LanguageSwitchProps) {
  const { languages } = pageProfile();
  if (languages.length === 1) return null;
  return (
    <form
      className="flex items-center gap-x-3 print:hidden"
      method="post"
      action={action}
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

type DocumentProps = { readonly language: Language; readonly children: ReactNode };

/** The root of every page, with the notice while the sandbox's clock is moved. */
export function BankDocument({ language, children }: DocumentProps) {
  return (
    <Document lang={language} theme={bankFile().theme?.version}>
      <ClockNotice language={language} />
      {children}
    </Document>
  );
}

async function ClockNotice({ language }: { readonly language: Language }) {
  const notice = await clockNotice(language);
  return notice === undefined ? null : (
    <aside className="border-b border-line bg-tint px-5 py-2 text-center">{notice}</aside>
  );
}
