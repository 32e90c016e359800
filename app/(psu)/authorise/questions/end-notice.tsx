import type { Texts } from "@/lib/psu/texts/texts";
import type { EndView } from "@/lib/psu/view";
import { CancelButton } from "./cancel";
import { Question } from "./question";

type Props = { readonly texts: Texts; readonly view: EndView };

/** Nothing is left to answer; the way back is. */
export function EndNotice({ texts, view }: Props) {
  const { heading, lead } = texts.ends[view.page];
  const { cancel, backTo } = texts.frame;
  // Where nothing is decided yet, going back still decides it.
  const decided = view.page !== "nothing-to-share";
  const label = decided ? backTo(view.tpp.name) : cancel;
  return (
    <Question texts={texts} frame={view} heading={heading} decided={decided}>
      <p className="lead">{lead(view.tpp.name, view.bankName)}</p>
      <div className="actions">
        <CancelButton label={label} />
      </div>
    </Question>
  );
}
