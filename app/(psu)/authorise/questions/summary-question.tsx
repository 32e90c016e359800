import { PostForm } from "@/components/post-form";
import { TextField } from "@/components/text-field";
import { formPath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { SummaryView } from "@/lib/psu/view";
import { CancelButton } from "./cancel";
import { faultAt } from "./outcome";
import { Question } from "./question";
import { SummaryTerms } from "./summary-terms";

type Props = { readonly texts: Texts; readonly view: SummaryView };

const NEW_CODE_FORM = "new-code";

/** Is this what you want? Everything the code stands for is on the page where it is entered. */
export function SummaryQuestion({ texts, view }: Props) {
  const { summary } = texts;
  const { codeDigits, codeSentAt, accounts, newCodePossible, consent } = view.summary;
  const fault = faultAt(texts, view.outcome, "code") ?? expiry(texts, view);
  return (
    <Question
      texts={texts}
      frame={view}
      heading={summary.heading(view.tpp.name, accounts.length)}
      step={3}
    >
      <SummaryTerms texts={texts} view={view} />
      <p className="consequences">
        {summary.consequences(view.tpp.name, consent.recurringIndicator)}
      </p>
      <div className="code-panel">
        <h2>{summary.codeHeading}</h2>
        <PostForm action={formPath(view.uid, "confirm")} token={view.tokens.confirm}>
          <TextField
            id="code"
            label={summary.code}
            hint={summary.codeHint(codeDigits, codeSentAt, view.timeZone)}
            fault={fault}
            input={{
              name: "code",
              type: "text",
              className: "code",
              inputMode: "numeric",
              autoComplete: "one-time-code",
              spellCheck: false,
            }}
          />
          <p className="by-the-code">
            {newCodePossible ? (
              <button type="submit" form={NEW_CODE_FORM} className="plain">
                {summary.newCode}
              </button>
            ) : (
              summary.noMoreCodes
            )}
            <Phone texts={texts} userId={view.summary.phoneOf} />
          </p>
          <div className="actions equal">
            <button type="submit">{summary.submit}</button>
            <CancelButton label={texts.frame.cancel} />
          </div>
        </PostForm>
        <PostForm action={formPath(view.uid, "code")} token={view.tokens.code} id={NEW_CODE_FORM} />
      </div>
    </Question>
  );
}

/** A code that has run out is told before it is typed, as long as another can be had. */
function expiry(texts: Texts, { summary: { codeExpired, newCodePossible } }: SummaryView) {
  if (!codeExpired || !newCodePossible) return undefined;
  return { prefix: texts.frame.errorPrefix, text: texts.summary.codeExpired };
}

function Phone({ texts, userId }: { readonly texts: Texts; readonly userId: string | undefined }) {
  if (userId === undefined) return null;
  const href = `/sandbox/phone?psu=${encodeURIComponent(userId)}`;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {texts.frame.sandboxPhone}
    </a>
  );
}
