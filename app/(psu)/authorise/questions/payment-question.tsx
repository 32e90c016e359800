import { Lead } from "@/components/lead";
import type { Texts } from "@/lib/psu/texts/texts";
import type { PaymentView } from "@/lib/psu/view";
import { CodePanel } from "./code-panel";
import { PaymentTerms } from "./payment-terms";
import { Question } from "./question";

type Props = { readonly texts: Texts; readonly view: PaymentView };

/** Is this what you want to pay? Amount and payee are those of the text message (RTS art. 5(1)). */
export function PaymentQuestion({ texts, view }: Props) {
  const { amount, creditor } = view.payment.order;
  const { payment: words } = texts;
  return (
    <Question
      texts={texts}
      frame={view}
      heading={words.heading(amount, texts.quoted(creditor.name))}
      step={2}
    >
      <PaymentTerms texts={texts} view={view} />
      <Lead>{words.consequences}</Lead>
      <CodePanel texts={texts} view={view} />
    </Question>
  );
}
