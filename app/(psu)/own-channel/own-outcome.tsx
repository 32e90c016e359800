import { ErrorSummary } from "@/components/error-summary";
import type { FieldFault } from "@/components/field-error";
import { GoodNews } from "@/components/good-news";
import type { OwnFrame } from "@/lib/psu/own-channel/frame";
import type { OwnOutcome } from "@/lib/psu/own-channel/outcome";
import type { OwnOutcomePlace } from "@/lib/psu/texts/sign-in-texts";
import type { Texts } from "@/lib/psu/texts/texts";

type Said = { readonly place: OwnOutcomePlace; readonly text: string };

function said(
  texts: Texts,
  { outcome, attemptsLeft, waitSeconds }: OwnOutcome,
  { bankName, blockMinutes }: Props["frame"],
): Said {
  if (outcome === "blocked") {
    return { place: "user-id", text: texts.signIn.blocked(blockMinutes, bankName) };
  }
  const { place, text } = texts.signIn.outcomes[outcome];
  return { place, text: text(attemptsLeft ?? waitSeconds) };
}

type Props = {
  readonly texts: Texts;
  readonly outcome: OwnOutcome | undefined;
  readonly frame: Pick<OwnFrame, "bankName" | "blockMinutes">;
};

/** What came of the last answer. */
export function OwnOutcomeSummary({ texts, outcome, frame }: Props) {
  if (outcome === undefined) return null;
  const { place, text } = said(texts, outcome, frame);
  if (place === "good-news") return <GoodNews text={text} />;
  const field = place === "page" ? undefined : place;
  return <ErrorSummary title={texts.frame.errorSummary} text={text} field={field} />;
}

/** Whether the title has to say so, before anything else is read out. */
export function isError(outcome: OwnOutcome | undefined, texts: Texts): boolean {
  if (outcome === undefined) return false;
  if (outcome.outcome === "blocked") return true;
  return texts.signIn.outcomes[outcome.outcome].place !== "good-news";
}

/** What is to be said at this field. */
export function ownFaultAt(
  { texts, outcome, frame }: Props,
  field: OwnOutcomePlace,
): FieldFault | undefined {
  if (outcome === undefined) return undefined;
  const { place, text } = said(texts, outcome, frame);
  return place === field ? { prefix: texts.frame.errorPrefix, text } : undefined;
}
