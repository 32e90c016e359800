import type { ReactNode } from "react";
import { NoticePage } from "@/components/notice-page";
import type { Notice, Texts } from "@/lib/psu/texts/texts";

type Props = {
  readonly texts: Texts;
  readonly bankName: string;
  readonly notice: Notice;
  readonly children?: ReactNode;
};

/** A page that belongs to no authorisation. */
export function Alone({ texts, bankName, notice, children }: Props) {
  return (
    <NoticePage
      title={texts.title(notice.heading, bankName)}
      bankName={bankName}
      place={texts.frame.place}
      {...notice}
    >
      {children}
    </NoticePage>
  );
}
