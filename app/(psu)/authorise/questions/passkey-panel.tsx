import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { FieldError } from "@/components/field-error";
import { Hint } from "@/components/hint";
import { Panel } from "@/components/panel";
import { PasskeyButton, PasskeyForm, PasskeyGone } from "@/components/passkey-form";
import { PostForm } from "@/components/post-form";
import { formPath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { ConfirmView } from "@/lib/psu/view";
import { CancelButton } from "./cancel";
import { faultAt } from "./outcome";

type Props = { readonly texts: Texts; readonly view: ConfirmView };

export const PASSKEY_FORM = "passkey-form";
const CODE_FORM = "send-code";

/** The yes of a PSU who has a passkey and has asked for no code: whoever has no JavaScript asks for one. */
export function PasskeyPanel({ texts, view }: Props) {
  const { passkey: words, frame } = texts;
  return (
    <Panel>
      <h2>{words.heading}</h2>
      <Hint>{words.hint}</Hint>
      <FieldError id="code-error" fault={faultAt(texts, view.outcome, "code")} />
      <PasskeyPart texts={texts} view={view} />
      <PostForm action={formPath(view.uid, "code")} token={view.tokens.code} id={CODE_FORM} />
      <Actions equal>
        <PasskeyButton form={PASSKEY_FORM} label={words.submit} />
        {view.code.newCodePossible && (
          <Button form={CODE_FORM} id="code">
            {words.sendCode}
          </Button>
        )}
        <CancelButton label={frame.cancel} />
      </Actions>
    </Panel>
  );
}

/** What the button needs, and what came of it; next to nothing for whoever has no passkey. */
export function PasskeyPart({ texts, view }: Props) {
  const fault = faultAt(texts, view.outcome, "passkey");
  // The last one may have been removed while it was being used.
  if (!view.code.passkey) return <PasskeyGone fault={fault} />;
  return (
    <>
      <FieldError id="passkey-error" fault={fault} />
      <PasskeyForm
        id={PASSKEY_FORM}
        action={formPath(view.uid, "passkey")}
        token={view.tokens.passkey}
        optionsAt={formPath(view.uid, "passkey-challenge")}
        optionsToken={view.tokens["passkey-challenge"]}
        cancelled={texts.passkey.cancelled}
      />
    </>
  );
}
