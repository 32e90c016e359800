import { Actions } from "@/components/actions";
import { Lead } from "@/components/lead";
import type { Texts } from "@/lib/psu/texts/texts";
import type { EndView } from "@/lib/psu/view";
import { CancelButton } from "./cancel";
import { Question } from "./question";

type Props = { readonly texts: Texts; readonly view: EndView };

/** Nothing is left to answer; the way back is. */
export function EndNotice({ texts, view }: Props) {
  const { heading, lead } = texts.ends[view.page];
  const { cancel, backTo } = texts.frame;
  const { kind, bankName, blockMinutes } = view;
  const tpp = texts.quoted(view.tpp.name);
  // Where nothing is decided yet, going back still decides it.
  const label = view.decided ? backTo(tpp) : cancel;
  return (
    <Question texts={texts} frame={view} heading={heading}>
      <Lead>{lead({ kind, tpp, bankName, blockMinutes })}</Lead>
      <Actions>
        <CancelButton label={label} />
      </Actions>
    </Question>
  );
}
