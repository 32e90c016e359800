import { Actions, Button, TextButton } from "@/components/button";
import {
  FieldError,
  PasskeyButton,
  PasskeyForm,
  PasskeyGone,
  PostForm,
  TextField,
} from "@/components/form";
import { Lead, Links } from "@/components/text";
import { signInPath } from "@/lib/psu/paths";
import type { CodeView, PasswordView } from "@/lib/psu/sign-in-view";
import type { Texts } from "@/lib/psu/texts/types";
import { CodeField, SandboxPhone } from "../code-panel";
import { OwnPage, ownFaultAt } from "../own-channel-page";

type Props = { readonly texts: Texts; readonly view: PasswordView };

const UNLOCK_FORM = "unlock-form";

/** Who are you? */
export function PasswordQuestion({ texts, view }: Props) {
  const { login, signIn } = texts;
  const { page, to, outcome } = view;
  const again = page === "sign-in-again";
  const shown = { texts, outcome, frame: view };
  return (
    <OwnPage
      texts={texts}
      frame={view}
      path={signInPath(to)}
      heading={again ? signIn.again.heading : signIn.heading(view.bankName)}
      outcome={outcome}
      signedIn={false}
    >
      <Lead>{again ? signIn.again.lead : signIn.lead}</Lead>
      <PostForm action="/sign-in/password" token={view.token}>
        <input type="hidden" name="to" value={to} />
        <TextField
          id="user-id"
          label={login.userId}
          fault={ownFaultAt(shown, "user-id")}
          input={{
            name: "userId",
            type: "text",
            autoComplete: "username",
            autoCapitalize: "none",
            spellCheck: false,
            defaultValue: view.userId,
          }}
        />
        <TextField
          id="password"
          label={login.password}
          fault={ownFaultAt(shown, "password")}
          input={{ name: "password", type: "password", autoComplete: "current-password" }}
        />
        <Actions>
          <Button>{login.submit}</Button>
        </Actions>
      </PostForm>
      {view.unlock !== undefined && (
        <>
          <PasskeyForm
            id={UNLOCK_FORM}
            action="/sign-in/unlock"
            token={view.unlock.token}
            optionsAt="/sign-in/unlock-challenge"
            optionsToken={view.unlock.challengeToken}
            cancelled={signIn.unlock.cancelled}
          >
            <input type="hidden" name="to" value={to} />
            <input type="hidden" name="sealed" />
          </PasskeyForm>
          <p>{signIn.unlock.hint}</p>
          <Actions>
            <PasskeyButton form={UNLOCK_FORM} label={signIn.unlock.submit} />
          </Actions>
        </>
      )}
    </OwnPage>
  );
}

type CodeQuestionProps = { readonly texts: Texts; readonly view: CodeView };

const NEW_CODE_FORM = "new-code";
const START_AGAIN_FORM = "start-again";

/** Have you got your phone? */
export function CodeQuestion({ texts, view }: CodeQuestionProps) {
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

const CODE_FORM = "send-code";

/** Have you got your passkey? Whoever has no JavaScript asks for a code. */
function PasskeyQuestion({ texts, view }: CodeQuestionProps) {
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

const PASSKEY_FORM = "passkey-form";

/** What the passkey's button needs, and what came of it; nothing for whoever has none. */
function PasskeyPart({ texts, view }: CodeQuestionProps) {
  const fault = ownFaultAt({ texts, outcome: view.outcome, frame: view }, "passkey");
  // The last one may have been removed while it was being used.
  if (view.passkey === undefined) return <PasskeyGone fault={fault} />;
  const { token, challengeToken } = view.passkey;
  return (
    <>
      <FieldError id="passkey-error" fault={fault} />
      <PasskeyForm
        id={PASSKEY_FORM}
        action="/sign-in/passkey"
        token={token}
        optionsAt="/sign-in/passkey-challenge"
        optionsToken={challengeToken}
        cancelled={texts.passkey.cancelled}
      >
        <input type="hidden" name="to" value={view.to} />
      </PasskeyForm>
    </>
  );
}
