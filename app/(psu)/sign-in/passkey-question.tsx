import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { FieldError } from "@/components/field-error";
import { Lead } from "@/components/lead";
import { PasskeyButton } from "@/components/passkey-form";
import { PostForm } from "@/components/post-form";
import { signInPath } from "@/lib/psu/own-channel/paths";
import type { CodeView } from "@/lib/psu/own-channel/sign-in-view";
import type { Texts } from "@/lib/psu/texts/texts";
import { ownFaultAt } from "../own-channel/own-outcome";
import { OwnPage } from "../own-channel/own-page";
import { PASSKEY_FORM, PasskeyPart } from "./passkey-part";

type Props = { readonly texts: Texts; readonly view: CodeView };

const CODE_FORM = "send-code";
const START_AGAIN_FORM = "start-again";

/** Have you got your passkey? Whoever has no JavaScript asks for a code. */
export function PasskeyQuestion({ texts, view }: Props) {
  const { passkey: words, signIn } = texts;
  const { to, outcome } = view;
  const fault = ownFaultAt({ texts, outcome, frame: view }, "code");
  return (
    <OwnPage
      texts={texts}
      frame={view}
      path={signInPath(to)}
      heading={words.heading}
      outcome={outcome}
      signedIn={false}
    >
      <Lead>{words.hint}</Lead>
      <FieldError id="code-error" fault={fault} />
      <PasskeyPart texts={texts} view={view} />
      <Actions equal>
        <PasskeyButton form={PASSKEY_FORM} label={words.submit} />
        <Button form={CODE_FORM} id="code">
          {words.sendCode}
        </Button>
        <Button kind="counter" form={START_AGAIN_FORM}>
          {signIn.startAgain}
        </Button>
      </Actions>
      <PostForm action="/sign-in/new-code" token={view.newCodeToken} id={CODE_FORM}>
        <input type="hidden" name="to" value={to} />
      </PostForm>
      <PostForm action="/sign-out/now" token={view.signOutToken} id={START_AGAIN_FORM}>
        <input type="hidden" name="to" value={to} />
      </PostForm>
    </OwnPage>
  );
}
