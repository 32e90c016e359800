import { Actions } from "@/components/actions";
import { ButtonLink } from "@/components/button";
import { Lead } from "@/components/lead";
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
  const again = <ButtonLink href={path}>{texts.tryAgain}</ButtonLink>;
  if (frame === undefined) {
    return (
      <Alone texts={texts} bankName={bankName} path={path} notice={notice}>
        <Actions>{again}</Actions>
      </Alone>
    );
  }
  return (
    <Question texts={texts} frame={frame} heading={notice.heading}>
      <Lead>{notice.lead}</Lead>
      <Actions>
        {again}
        <CancelButton label={texts.frame.cancel} />
      </Actions>
    </Question>
  );
}
