import { Lead } from "@/components/lead";
import type { Texts } from "@/lib/psu/texts/texts";
import type { SummaryView } from "@/lib/psu/view";
import { CodePanel } from "./code-panel";
import { Question } from "./question";
import { SummaryTerms } from "./summary-terms";

type Props = { readonly texts: Texts; readonly view: SummaryView };

/** Is this what you want? Everything the code stands for is on the page where it is entered. */
export function SummaryQuestion({ texts, view }: Props) {
  const { accounts, consent } = view.summary;
  const tpp = texts.quoted(view.tpp.name);
  return (
    <Question
      texts={texts}
      frame={view}
      heading={texts.summary.heading(tpp, accounts.length)}
      step={3}
    >
      <SummaryTerms texts={texts} view={view} />
      <Lead>{texts.summary.consequences(tpp, view.bankName, consent.recurringIndicator)}</Lead>
      <CodePanel texts={texts} view={view} />
    </Question>
  );
}
