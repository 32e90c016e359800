import type { ReactNode } from "react";
import { BankPage } from "@/components/bank-page";
import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import type { Frame } from "@/lib/psu/frame";
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
  readonly children: ReactNode;
};

/** A page on which there is one thing to answer, and one way back. */
export function Question({ texts, frame, heading, step, children }: Props) {
  const title = texts.title(heading, frame.bankName);
  return (
    <BankPage
      title={isError(texts, frame.outcome) ? texts.errorTitle(title) : title}
      bankName={frame.bankName}
      place={texts.frame.place}
      footer={<RequestFooter texts={texts} frame={frame} />}
    >
      <OutcomeSummary texts={texts} outcome={frame.outcome} />
      <p className="request">{texts.frame.request[frame.kind](frame.tpp.name)}</p>
      <div className="card">
        {step !== undefined && <p className="step">{texts.frame.step(step, STEPS[frame.kind])}</p>}
        <h1>{heading}</h1>
        {children}
        <CancelForm frame={frame} />
      </div>
    </BankPage>
  );
}
