import type { ReactNode } from "react";
import { LanguageSwitch } from "@/components/language-switch";
import { NoticePage } from "@/components/notice-page";
import type { Notice, Texts } from "@/lib/psu/texts/texts";

type Props = {
  readonly texts: Texts;
  readonly bankName: string;
  readonly notice: Notice;
  /** Its own address, for the switch of languages. */
  readonly path: string;
  readonly children?: ReactNode;
};

/** A page that belongs to no authorisation. */
export function Alone({ texts, bankName, notice, path, children }: Props) {
  return (
    <NoticePage
      title={texts.title(notice.heading, bankName)}
      bankName={bankName}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path={path} />}
      {...notice}
    >
      {children}
    </NoticePage>
  );
}
