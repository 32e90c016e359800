import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { Links } from "@/components/links";
import { PasskeyButton } from "@/components/passkey-form";
import { PostForm } from "@/components/post-form";
import { TextButton } from "@/components/text-button";
import { signInPath } from "@/lib/psu/own-channel/paths";
import type { CodeView } from "@/lib/psu/own-channel/sign-in-view";
import type { Texts } from "@/lib/psu/texts/texts";
import { CodeField } from "../code-field";
import { ownFaultAt } from "../own-channel/own-outcome";
import { OwnPage } from "../own-channel/own-page";
import { SandboxPhone } from "../sandbox-phone";
import { PASSKEY_FORM, PasskeyPart } from "./passkey-part";
import { PasskeyQuestion } from "./passkey-question";

type Props = { readonly texts: Texts; readonly view: CodeView };

const NEW_CODE_FORM = "new-code";
const START_AGAIN_FORM = "start-again";

/** Have you got your phone? */
export function CodeQuestion({ texts, view }: Props) {
  const { code: words, signIn } = texts;
  const { to, outcome, digits, sentAt, newCodePossible } = view;
  if (sentAt === undefined && view.passkey !== undefined) {
    return <PasskeyQuestion texts={texts} view={view} />;
  }
  const hint =
    sentAt === undefined
      ? signIn.noCode
      : `${words.hint(digits, sentAt, view.timeZone)} ${signIn.reference(view.reference)}`;
  return (
    <OwnPage
      texts={texts}
      frame={view}
      path={signInPath(to)}
      heading={signIn.codeHeading}
      outcome={outcome}
      signedIn={false}
    >
      <PasskeyPart texts={texts} view={view} />
      <PostForm action="/sign-in/code" token={view.token}>
        <input type="hidden" name="to" value={to} />
        <CodeField
          texts={texts}
          hint={hint}
          fault={ownFaultAt({ texts, outcome, frame: view }, "code")}
          expired={view.expired}
          newCodePossible={newCodePossible}
        />
        <Links>
          {newCodePossible ? (
            <TextButton form={NEW_CODE_FORM}>{words.newCode}</TextButton>
          ) : (
            words.noMore
          )}
          {view.passkey !== undefined && (
            <PasskeyButton form={PASSKEY_FORM} label={texts.passkey.submit} kind="text" />
          )}
          <SandboxPhone texts={texts} userId={view.phoneOf} />
        </Links>
        <Actions equal>
          <Button>{signIn.submit}</Button>
          <Button kind="counter" form={START_AGAIN_FORM}>
            {signIn.startAgain}
          </Button>
        </Actions>
      </PostForm>
      <PostForm action="/sign-in/new-code" token={view.newCodeToken} id={NEW_CODE_FORM}>
        <input type="hidden" name="to" value={to} />
      </PostForm>
      <PostForm action="/sign-out/now" token={view.signOutToken} id={START_AGAIN_FORM}>
        <input type="hidden" name="to" value={to} />
      </PostForm>
    </OwnPage>
  );
}
