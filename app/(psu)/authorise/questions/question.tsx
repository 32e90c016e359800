import type { ReactNode } from "react";
import { BankPage } from "@/components/bank-page";
import type { Texts } from "@/lib/psu/texts/texts";
import type { Frame } from "@/lib/psu/view";
import { CancelForm } from "./cancel";
import { isError, OutcomeSummary } from "./outcome";
import { RequestFooter } from "./request-footer";

const STEPS = 3;

type Props = {
  readonly texts: Texts;
  readonly frame: Frame;
  readonly heading: string;
  readonly step?: 1 | 2 | 3;
  /** Nothing is left to answer: how long the page stays open is of no interest any more. */
  readonly decided?: boolean;
  readonly children: ReactNode;
};

/** A page on which there is one thing to answer, and one way back. */
export function Question({ texts, frame, heading, step, decided, children }: Props) {
  const title = texts.title(heading, frame.bankName);
  return (
    <BankPage
      title={isError(texts, frame.outcome) ? texts.errorTitle(title) : title}
      bankName={frame.bankName}
      place={texts.frame.place}
      footer={<RequestFooter texts={texts} frame={frame} decided={decided === true} />}
    >
      <OutcomeSummary texts={texts} outcome={frame.outcome} />
      <p className="request">{texts.frame.request(frame.tpp.name)}</p>
      <div className="card">
        {step !== undefined && <p className="step">{texts.frame.step(step, STEPS)}</p>}
        <h1>{heading}</h1>
        {children}
        <CancelForm frame={frame} />
      </div>
    </BankPage>
  );
}
