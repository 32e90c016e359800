import type { Texts } from "@/lib/psu/texts/texts";
import type { FaultView } from "@/lib/psu/view";
import { Alone } from "../alone";
import { CancelButton } from "./cancel";
import { Question } from "./question";

type Props = {
  readonly texts: Texts;
  readonly bankName: string;
  readonly path: string;
  readonly view: FaultView;
};

/** Something failed here. Trying again is the way on. */
export function FaultNotice({ texts, bankName, path, view: { frame } }: Props) {
  const notice = texts.alone.fault;
  const again = (
    <a className="button" href={path}>
      {texts.tryAgain}
    </a>
  );
  if (frame === undefined) {
    return (
      <Alone texts={texts} bankName={bankName} notice={notice}>
        <div className="actions">{again}</div>
      </Alone>
    );
  }
  return (
    <Question texts={texts} frame={frame} heading={notice.heading}>
      <p className="lead">{notice.lead}</p>
      <div className="actions">
        {again}
        <CancelButton label={texts.frame.cancel} />
      </div>
    </Question>
  );
}
