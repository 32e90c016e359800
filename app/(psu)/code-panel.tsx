import { Actions, Button, TextButton } from "@/components/button";
import {
  FieldError,
  type FieldFault,
  Hint,
  PasskeyButton,
  PasskeyForm,
  PasskeyGone,
  PostForm,
  TextField,
} from "@/components/form";
import { Links, Panel } from "@/components/text";
import type { ConfirmView } from "@/lib/psu/authorisation-view";
import { formPath } from "@/lib/psu/paths";
import type { Texts } from "@/lib/psu/texts/types";
import { CancelButton, faultAt } from "./authorise/question";

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

/** In place of the code's field when no code went with the login, or none was delivered. */
function FirstCode({ texts, view }: Props) {
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

const PASSKEY_FORM = "passkey-form";
const CODE_FORM = "send-code";

/** The yes of a PSU who has a passkey and has asked for no code: whoever has no JavaScript asks for one. */
function PasskeyPanel({ texts, view }: Props) {
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
function PasskeyPart({ texts, view }: Props) {
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

type CodeFieldProps = {
  readonly texts: Texts;
  readonly hint: string;
  /** Of the last answer. */
  readonly fault: FieldFault | undefined;
  readonly expired: boolean;
  readonly newCodePossible: boolean;
};

/** The one-time code, which the browser may fill in from the text message. */
export function CodeField({ texts, hint, fault, ...code }: CodeFieldProps) {
  return (
    <TextField
      id="code"
      label={texts.code.label}
      hint={hint}
      fault={fault ?? expiry(texts, code)}
      kind="code"
      input={{
        name: "code",
        type: "text",
        inputMode: "numeric",
        autoComplete: "one-time-code",
        spellCheck: false,
      }}
    />
  );
}

/** A code that has run out is told before it is typed, as long as another can be had. */
function expiry(
  texts: Texts,
  { expired, newCodePossible }: Pick<CodeFieldProps, "expired" | "newCodePossible">,
): FieldFault | undefined {
  if (!expired || !newCodePossible) return undefined;
  return { prefix: texts.frame.errorPrefix, text: texts.code.expired };
}

type SandboxPhoneProps = { readonly texts: Texts; readonly userId: string | undefined };

/** The phone of a demo customer; of a real one there is no page. */
export function SandboxPhone({ texts, userId }: SandboxPhoneProps) {
  if (userId === undefined) return null;
  const href = `/sandbox/phone?psu=${encodeURIComponent(userId)}`;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {texts.frame.sandboxPhone}
    </a>
  );
}
