import { Actions, Button, ButtonLink } from "@/components/button";
import {
  FieldError,
  PasskeyButton,
  PasskeyForm,
  PasskeyProof,
  PostForm,
  TextField,
} from "@/components/form";
import { Lead } from "@/components/text";
import { providerSignInPath, signInPath } from "@/lib/psu/paths";
import type { CodeView, PasswordView } from "@/lib/psu/sign-in-view";
import type { Texts } from "@/lib/psu/texts/en";
import { CodeField, NEW_CODE_FORM, PASSKEY_FORM } from "../code-panel";
import { OwnPage, ownFaultAt } from "../own-channel-page";

type Props = { readonly texts: Texts; readonly view: PasswordView };

const UNLOCK_FORM = "unlock-form";

function PasswordForm({ texts, view }: Props) {
  const { login, signIn } = texts;
  const { page, to } = view;
  return (
    <>
      <Lead>{page === "sign-in-again" ? signIn.again.lead : signIn.lead}</Lead>
      <PostForm action="/sign-in/password" token={view.token}>
        <input type="hidden" name="to" value={to} />
        <TextField
          id="user-id"
          label={login.userId}
          fault={ownFaultAt(texts, view, "user-id")}
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
          fault={ownFaultAt(texts, view, "password")}
          input={{ name: "password", type: "password", autoComplete: "current-password" }}
        />
        <Actions>
          <Button>{login.submit}</Button>
        </Actions>
      </PostForm>
    </>
  );
}

export function PasswordQuestion({ texts, view }: Props) {
  const { signIn } = texts;
  const { page, to } = view;
  const again = page === "sign-in-again";
  return (
    <OwnPage
      texts={texts}
      view={view}
      path={signInPath(to)}
      heading={again ? signIn.again.heading : signIn.heading(view.bankName)}
    >
      {view.byProvider ? (
        <>
          <Lead>{texts.approval.signInLead}</Lead>
          <Actions>
            <ButtonLink href={providerSignInPath(to)}>
              {texts.approval.signIn(view.bankName)}
            </ButtonLink>
          </Actions>
        </>
      ) : (
        <PasswordForm texts={texts} view={view} />
      )}
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

const START_AGAIN_FORM = "start-again";

/** The second element: a code from the PSU's phone, or a passkey. */
export function CodeQuestion({ texts, view }: CodeQuestionProps) {
  const { code: words, signIn } = texts;
  const { to, digits, sentAt } = view;
  if (sentAt === undefined && view.passkey !== undefined) {
    return <PasskeyQuestion texts={texts} view={view} />;
  }
  const hint =
    sentAt === undefined
      ? signIn.noCode
      : `${words.hint(digits, sentAt, view.timeZone)} ${signIn.reference(view.reference)}`;
  return (
    <OwnPage texts={texts} view={view} path={signInPath(to)} heading={signIn.codeHeading}>
      <Passkey texts={texts} view={view} />
      <PostForm action="/sign-in/code" token={view.token}>
        <To view={view} />
        <CodeField texts={texts} code={view} hint={hint} fault={ownFaultAt(texts, view, "code")}>
          <Button>{signIn.submit}</Button>
          <StartAgain texts={texts} />
        </CodeField>
      </PostForm>
      <OtherForms view={view} />
    </OwnPage>
  );
}

/** Without JavaScript, a code can be asked for. */
function PasskeyQuestion({ texts, view }: CodeQuestionProps) {
  const { passkey: words } = texts;
  return (
    <OwnPage texts={texts} view={view} path={signInPath(view.to)} heading={words.heading}>
      <Lead>{`${words.hint} ${words.codeHint}`}</Lead>
      <FieldError id="code-error" fault={ownFaultAt(texts, view, "code")} />
      <Passkey texts={texts} view={view} />
      <Actions equal>
        <PasskeyButton form={PASSKEY_FORM} label={words.submit} />
        <Button form={NEW_CODE_FORM} id="code">
          {words.sendCode}
        </Button>
        <StartAgain texts={texts} />
      </Actions>
      <OtherForms view={view} />
    </OwnPage>
  );
}

function StartAgain({ texts }: Pick<CodeQuestionProps, "texts">) {
  return (
    <Button kind="counter" form={START_AGAIN_FORM}>
      {texts.signIn.startAgain}
    </Button>
  );
}

function OtherForms({ view }: Pick<CodeQuestionProps, "view">) {
  return (
    <>
      <PostForm action="/sign-in/new-code" token={view.newCodeToken} id={NEW_CODE_FORM}>
        <To view={view} />
      </PostForm>
      <PostForm action="/sign-out/now" token={view.signOutToken} id={START_AGAIN_FORM}>
        <To view={view} />
      </PostForm>
    </>
  );
}

/** The page that was asked for, to which the sign-in leads. */
function To({ view }: Pick<CodeQuestionProps, "view">) {
  return <input type="hidden" name="to" value={view.to} />;
}

function Passkey({ texts, view }: CodeQuestionProps) {
  const form = view.passkey && {
    id: PASSKEY_FORM,
    action: "/sign-in/passkey",
    token: view.passkey.token,
    optionsAt: "/sign-in/passkey-challenge",
    optionsToken: view.passkey.challengeToken,
    cancelled: texts.passkey.cancelled,
  };
  return (
    <PasskeyProof fault={ownFaultAt(texts, view, "passkey")} form={form}>
      <To view={view} />
    </PasskeyProof>
  );
}
