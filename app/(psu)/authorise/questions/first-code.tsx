import { FieldError } from "@/components/field-error";
import { PostForm } from "@/components/post-form";
import { formPath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { ConfirmView } from "@/lib/psu/view";
import { CancelButton } from "./cancel";
import { faultAt } from "./outcome";

type Props = { readonly texts: Texts; readonly view: ConfirmView };

/** In place of the code's field when no code went with the login. */
export function FirstCode({ texts, view }: Props) {
  const { code: words } = texts;
  return (
    <div className="code-panel">
      <h2>{words.firstHeading}</h2>
      <p className="hint">{words.firstHint}</p>
      <FieldError id="code-error" fault={faultAt(texts, view.outcome, "code")} />
      <PostForm action={formPath(view.uid, "code")} token={view.tokens.code}>
        <div className="actions equal">
          <button type="submit" id="code">
            {words.sendFirst}
          </button>
          <CancelButton label={texts.frame.cancel} />
        </div>
      </PostForm>
    </div>
  );
}
