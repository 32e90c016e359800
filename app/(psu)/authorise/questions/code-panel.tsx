import { PostForm } from "@/components/post-form";
import { TextField } from "@/components/text-field";
import { formPath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { ConfirmView } from "@/lib/psu/view";
import { CancelButton } from "./cancel";
import { FirstCode } from "./first-code";
import { faultAt } from "./outcome";

type Props = { readonly texts: Texts; readonly view: ConfirmView };

const NEW_CODE_FORM = "new-code";

/** The yes, below everything it stands for. */
export function CodePanel({ texts, view }: Props) {
  const { code: words } = texts;
  const { digits, sentAt, newCodePossible, phoneOf } = view.code;
  if (sentAt === undefined) return <FirstCode texts={texts} view={view} />;
  return (
    <div className="code-panel">
      <h2>{words.heading}</h2>
      <PostForm action={formPath(view.uid, "confirm")} token={view.tokens.confirm}>
        <TextField
          id="code"
          label={words.label}
          hint={words.hint(digits, sentAt, view.timeZone)}
          fault={faultAt(texts, view.outcome, "code") ?? expiry(texts, view)}
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
              {words.newCode}
            </button>
          ) : (
            words.noMore
          )}
          <Phone texts={texts} userId={phoneOf} />
        </p>
        <div className="actions equal">
          <button type="submit">{words.submit}</button>
          <CancelButton label={texts.frame.cancel} />
        </div>
      </PostForm>
      <PostForm action={formPath(view.uid, "code")} token={view.tokens.code} id={NEW_CODE_FORM} />
    </div>
  );
}

/** A code that has run out is told before it is typed, as long as another can be had. */
function expiry(texts: Texts, { code: { expired, newCodePossible } }: ConfirmView) {
  if (!expired || !newCodePossible) return undefined;
  return { prefix: texts.frame.errorPrefix, text: texts.code.expired };
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
