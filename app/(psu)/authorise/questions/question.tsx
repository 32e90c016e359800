import type { ReactNode } from "react";
import { BankPage } from "@/components/bank-page";
import { Caption } from "@/components/caption";
import { Card } from "@/components/card";
import { LanguageSwitch } from "@/components/language-switch";
import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import type { Frame } from "@/lib/psu/frame";
import { pagePath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import { CancelForm } from "./cancel";
import { isError, OutcomeSummary } from "./outcome";
import { RequestFooter } from "./request-footer";

/** Pages on the way. Only accounts to share are chosen on one of their own. */
const STEPS: Readonly<Record<ResourceKind, number>> = { AIS: 3, PIIS: 2, PIS: 2 };

type Props = {
  readonly texts: Texts;
  readonly frame: Frame;
  readonly heading: string;
  readonly step?: 1 | 2 | 3;
  /** Where this very question is found again. */
  readonly path?: string;
  readonly children: ReactNode;
};

/** A page on which there is one thing to answer, and one way back. */
export function Question({ texts, frame, heading, step, path, children }: Props) {
  const title = texts.title(heading, frame.bankName);
  return (
    <BankPage
      title={isError(texts, frame.outcome) ? texts.errorTitle(title) : title}
      bankName={frame.bankName}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path={path ?? pagePath(frame.uid)} />}
      footer={<RequestFooter texts={texts} frame={frame} path={path ?? pagePath(frame.uid)} />}
    >
      <OutcomeSummary texts={texts} outcome={frame.outcome} />
      <Caption strong>{texts.frame.request[frame.kind](texts.quoted(frame.tpp.name))}</Caption>
      <Card>
        {step !== undefined && <Caption>{texts.frame.step(step, STEPS[frame.kind])}</Caption>}
        <h1>{heading}</h1>
        {children}
        <CancelForm frame={frame} />
      </Card>
    </BankPage>
  );
}
