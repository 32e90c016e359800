import { ErrorSummary } from "@/components/error-summary";
import type { FieldFault } from "@/components/field-error";
import { GoodNews } from "@/components/good-news";
import type { Outcome } from "@/lib/psu/outcome";
import type { OutcomePlace, Texts } from "@/lib/psu/texts/texts";

type Props = { readonly texts: Texts; readonly outcome: Outcome | undefined };

/** What came of the last answer. */
export function OutcomeSummary({ texts, outcome }: Props) {
  if (outcome === undefined) return null;
  const { place, text } = texts.outcomes[outcome.outcome];
  const said = text(outcome.attemptsLeft ?? outcome.waitSeconds);
  if (place === "good-news") return <GoodNews text={said} />;
  const field = place === "page" ? undefined : place;
  return <ErrorSummary title={texts.frame.errorSummary} text={said} field={field} />;
}

/** Whether the title has to say so, before anything else is read out. */
export function isError(texts: Texts, outcome: Outcome | undefined): boolean {
  return outcome !== undefined && texts.outcomes[outcome.outcome].place !== "good-news";
}

/** What is to be said at this field. */
export function faultAt(
  texts: Texts,
  outcome: Outcome | undefined,
  field: OutcomePlace,
): FieldFault | undefined {
  if (outcome === undefined) return undefined;
  const { place, text } = texts.outcomes[outcome.outcome];
  if (place !== field) return undefined;
  return {
    prefix: texts.frame.errorPrefix,
    text: text(outcome.attemptsLeft ?? outcome.waitSeconds),
  };
}
