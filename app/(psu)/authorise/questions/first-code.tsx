import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { FieldError } from "@/components/field-error";
import { Hint } from "@/components/hint";
import { Panel } from "@/components/panel";
import { PostForm } from "@/components/post-form";
import { formPath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { ConfirmView } from "@/lib/psu/view";
import { CancelButton } from "./cancel";
import { faultAt } from "./outcome";
import { PasskeyPart } from "./passkey-panel";

type Props = { readonly texts: Texts; readonly view: ConfirmView };

/** In place of the code's field when no code went with the login, or none was delivered. */
export function FirstCode({ texts, view }: Props) {
  const { code: words } = texts;
  const possible = view.code.newCodePossible;
  return (
    <Panel>
      <h2>{words.firstHeading}</h2>
      <Hint>{possible ? words.firstHint : words.noMore}</Hint>
      <PasskeyPart texts={texts} view={view} />
      <FieldError id="code-error" fault={faultAt(texts, view.outcome, "code")} />
      <PostForm action={formPath(view.uid, "code")} token={view.tokens.code}>
        <Actions equal>
          {possible && <Button id="code">{words.sendFirst}</Button>}
          <CancelButton label={texts.frame.cancel} />
        </Actions>
      </PostForm>
    </Panel>
  );
}
