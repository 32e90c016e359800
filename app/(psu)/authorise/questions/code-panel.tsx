import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { Links } from "@/components/links";
import { Panel } from "@/components/panel";
import { PasskeyButton } from "@/components/passkey-form";
import { PostForm } from "@/components/post-form";
import { TextButton } from "@/components/text-button";
import { formPath } from "@/lib/psu/see-other";
import type { Texts } from "@/lib/psu/texts/texts";
import type { ConfirmView } from "@/lib/psu/view";
import { CodeField } from "../../code-field";
import { SandboxPhone } from "../../sandbox-phone";
import { CancelButton } from "./cancel";
import { FirstCode } from "./first-code";
import { faultAt } from "./outcome";
import { PASSKEY_FORM, PasskeyPanel, PasskeyPart } from "./passkey-panel";

type Props = { readonly texts: Texts; readonly view: ConfirmView };

const NEW_CODE_FORM = "new-code";

/** The yes, below everything it stands for. */
export function CodePanel({ texts, view }: Props) {
  const { code: words } = texts;
  const { digits, sentAt, expired, newCodePossible, phoneOf, passkey } = view.code;
  if (sentAt === undefined) {
    const First = passkey ? PasskeyPanel : FirstCode;
    return <First texts={texts} view={view} />;
  }
  return (
    <Panel>
      <h2>{words.heading}</h2>
      <PasskeyPart texts={texts} view={view} />
      <PostForm action={formPath(view.uid, "confirm")} token={view.tokens.confirm}>
        <CodeField
          texts={texts}
          hint={words.hint(digits, sentAt, view.timeZone)}
          fault={faultAt(texts, view.outcome, "code")}
          expired={expired}
          newCodePossible={newCodePossible}
        />
        <Links>
          {newCodePossible ? (
            <TextButton form={NEW_CODE_FORM}>{words.newCode}</TextButton>
          ) : (
            words.noMore
          )}
          {passkey && (
            <PasskeyButton form={PASSKEY_FORM} label={texts.passkey.submit} kind="text" />
          )}
          <SandboxPhone texts={texts} userId={phoneOf} />
        </Links>
        <Actions equal>
          <Button>{words.submit}</Button>
          <CancelButton label={texts.frame.cancel} />
        </Actions>
      </PostForm>
      <PostForm action={formPath(view.uid, "code")} token={view.tokens.code} id={NEW_CODE_FORM} />
    </Panel>
  );
}
