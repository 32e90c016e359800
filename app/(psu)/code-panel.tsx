import type { ReactNode } from "react";
import { Actions, Button, ButtonLink, TextButton } from "@/components/button";
import {
  FieldError,
  type FieldFault,
  Hint,
  PasskeyButton,
  PasskeyProof,
  PostForm,
  TextField,
} from "@/components/form";
import { Links, Panel } from "@/components/text";
import type { ScaMeans } from "@/lib/domain/bank-profile";
import type { ConfirmView } from "@/lib/psu/authorisation-view";
import { formPath, passkeysPath, stepUpPath } from "@/lib/psu/paths";
import type { Texts } from "@/lib/psu/texts/en";
import { CancelButton, faultAt } from "./authorise/question";

type Props = { readonly texts: Texts; readonly view: ConfirmView };

export const NEW_CODE_FORM = "new-code";
export const PASSKEY_FORM = "passkey-form";
const APP_FORM = "app-form";
const APPROVAL_FORM = "approval";

/** The PSU's yes, below everything that it confirms. */
export function CodePanel({ texts, view }: Props) {
  const { code: words } = texts;
  const { digits, sentAt, expired } = view.code;
  const { appReference } = view;
  if (appReference !== undefined && (sentAt === undefined || expired))
    return <WaitingForApp texts={texts} view={view} reference={appReference} />;
  if (sentAt === undefined) {
    const First = firstPanels[view.means[0] ?? "none"];
    return <First texts={texts} view={view} />;
  }
  return (
    <Panel>
      <h2>{words.heading}</h2>
      <Passkey texts={texts} view={view} />
      <PostForm action={formPath(view.uid, "confirm")} token={view.tokens.confirm}>
        <Shown {...view} />
        <CodeField
          texts={texts}
          code={view.code}
          hint={words.hint(digits, sentAt, view.timeZone)}
          fault={faultAt(texts, view, "code")}
        >
          <Button>{words.submit}</Button>
          <CancelButton label={texts.frame.cancel} />
        </CodeField>
      </PostForm>
      <PostForm action={formPath(view.uid, "code")} token={view.tokens.code} id={NEW_CODE_FORM} />
      {appReference !== undefined && (
        <AlsoInApp texts={texts} view={view} reference={appReference} />
      )}
      <OtherMeans texts={texts} view={view} besides={["code", "passkey"]} />
    </Panel>
  );
}

/** The app was asked as well as for a code: the first of the two answers counts. */
function AlsoInApp({ texts, view, reference }: Props & { readonly reference: string }) {
  const { approval: words } = texts;
  const { approval: token } = view.tokens;
  return (
    <>
      <Hint>{words.appHint(reference)}</Hint>
      <PostForm action={formPath(view.uid, "approval")} token={token} id={APPROVAL_FORM} waits />
      <Links>
        <TextButton form={APPROVAL_FORM}>{words.appNext}</TextButton>
      </Links>
    </>
  );
}

/** While nothing is under way, by the means that the bank wishes first. */
const firstPanels: Readonly<Record<ScaMeans | "none", (props: Props) => ReactNode>> = {
  ciba: AppPanel,
  code: FirstCode,
  oidc: ProviderPanel,
  passkey: PasskeyPanel,
  none: NoMeans,
};

/** The customer's app has been asked. The page's script goes on by itself; without it a button does. */
function WaitingForApp({ texts, view, reference }: Props & { readonly reference: string }) {
  const { approval: words, frame } = texts;
  return (
    <Panel>
      <h2>{words.appHeading}</h2>
      <Hint>{words.appHint(reference)}</Hint>
      <CodeFault texts={texts} view={view} />
      <PostForm
        action={formPath(view.uid, "approval")}
        token={view.tokens.approval}
        id={APPROVAL_FORM}
        waits
      >
        <Actions equal>
          <Button>{words.appNext}</Button>
          <CancelButton label={frame.cancel} />
        </Actions>
      </PostForm>
      <OtherMeans texts={texts} view={view} besides={[]} />
    </Panel>
  );
}

/** Nothing is in the app any more, or it could not be asked. */
function AppPanel({ texts, view }: Props) {
  const { approval: words, frame } = texts;
  return (
    <Panel>
      <h2>{words.appHeading}</h2>
      <Hint>{view.appAskable ? words.appFirst : words.noMore}</Hint>
      <CodeFault texts={texts} view={view} />
      <PostForm action={formPath(view.uid, "app")} token={view.tokens.app}>
        <Actions equal>
          {view.appAskable && <Button>{words.askApp}</Button>}
          <CancelButton label={frame.cancel} />
        </Actions>
      </PostForm>
      <OtherMeans texts={texts} view={view} besides={["ciba"]} />
    </Panel>
  );
}

/** The bank's own sign-in, which asks for a new proof. A link: a browser holds what follows a form to `form-action`. */
function ProviderPanel({ texts, view }: Props) {
  const { approval: words, frame } = texts;
  return (
    <Panel>
      <h2>{words.providerHeading}</h2>
      <Hint>{words.providerHint}</Hint>
      <CodeFault texts={texts} view={view} />
      <Actions equal>
        <ButtonLink href={stepUpPath(view.uid, view.shown)}>{words.byProvider}</ButtonLink>
        <CancelButton label={frame.cancel} />
      </Actions>
      <OtherMeans texts={texts} view={view} besides={["oidc"]} />
    </Panel>
  );
}

/** The bank wants a passkey alone, and this PSU has none. */
function NoMeans({ texts, view }: Props) {
  const { approval: words, frame } = texts;
  return (
    <Panel>
      <h2>{words.noMeansHeading}</h2>
      <Hint>{words.noMeansHint}</Hint>
      <Actions equal>
        <ButtonLink href={passkeysPath(view.uid)}>{words.addPasskey}</ButtonLink>
        <CancelButton label={frame.cancel} />
      </Actions>
    </Panel>
  );
}

type OtherProps = Props & { readonly besides: readonly ScaMeans[] };

/** Another way for a PSU whose app, phone or passkey is not at hand. */
function OtherMeans({ texts, view, besides }: OtherProps) {
  const { approval: words, passkey } = texts;
  const others = view.means.filter((one) => !besides.includes(one));
  if (others.length === 0) return undefined;
  const offers = (one: ScaMeans) => others.includes(one);
  return (
    <>
      {offers("passkey") && <Passkey texts={texts} view={view} />}
      {offers("ciba") && (
        <PostForm action={formPath(view.uid, "app")} token={view.tokens.app} id={APP_FORM} />
      )}
      {offers("code") && (
        <PostForm action={formPath(view.uid, "code")} token={view.tokens.code} id={NEW_CODE_FORM} />
      )}
      <Links>
        {offers("ciba") && view.appAskable && (
          <TextButton form={APP_FORM}>
            {view.appReference === undefined ? words.byApp : words.askAppAgain}
          </TextButton>
        )}
        {offers("code") && view.code.newCodePossible && (
          <TextButton form={NEW_CODE_FORM}>{words.byCode}</TextButton>
        )}
        {offers("passkey") && (
          <PasskeyButton form={PASSKEY_FORM} label={passkey.submit} kind="text" />
        )}
        {offers("oidc") && <a href={stepUpPath(view.uid, view.shown)}>{words.byProviderInstead}</a>}
      </Links>
    </>
  );
}

/** What is wrong about a code where its field is not shown: the summary's link leads here. */
function CodeFault({ texts, view }: Props) {
  return (
    <div id="code">
      <FieldError id="code-error" fault={faultAt(texts, view, "code")} />
    </div>
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
      <Passkey texts={texts} view={view} />
      <CodeFault texts={texts} view={view} />
      <PostForm action={formPath(view.uid, "code")} token={view.tokens.code}>
        <Actions equal>
          {possible && <Button>{words.sendFirst}</Button>}
          <CancelButton label={texts.frame.cancel} />
        </Actions>
      </PostForm>
      <OtherMeans texts={texts} view={view} besides={["code", "passkey"]} />
    </Panel>
  );
}

/** The yes of a PSU who has a passkey and has asked for no code. Without JavaScript, a code can be asked for. */
function PasskeyPanel({ texts, view }: Props) {
  const { passkey: words, frame } = texts;
  const orCode = view.code.newCodePossible ? ` ${words.codeHint}` : "";
  return (
    <Panel>
      <h2>{words.heading}</h2>
      <Hint>{words.hint + orCode}</Hint>
      <CodeFault texts={texts} view={view} />
      <Passkey texts={texts} view={view} />
      <PostForm action={formPath(view.uid, "code")} token={view.tokens.code} id={NEW_CODE_FORM} />
      <Actions equal>
        <PasskeyButton form={PASSKEY_FORM} label={words.submit} />
        {view.code.newCodePossible && <Button form={NEW_CODE_FORM}>{words.sendCode}</Button>}
        <CancelButton label={frame.cancel} />
      </Actions>
      <OtherMeans texts={texts} view={view} besides={["code", "passkey"]} />
    </Panel>
  );
}

function Passkey({ texts, view }: Props) {
  const form = {
    id: PASSKEY_FORM,
    action: formPath(view.uid, "passkey"),
    token: view.tokens.passkey,
    optionsAt: formPath(view.uid, "passkey-challenge"),
    optionsToken: view.tokens["passkey-challenge"],
    cancelled: texts.passkey.cancelled,
  };
  const fault = faultAt(texts, view, "passkey");
  return (
    <PasskeyProof fault={fault} form={view.code.passkey ? form : undefined}>
      <Shown {...view} />
    </PasskeyProof>
  );
}

/** The link hash of what the page shows: the form confirms nothing else, whatever was chosen in another tab. */
function Shown({ shown }: Pick<ConfirmView, "shown">) {
  return <input type="hidden" name="shown" value={shown} />;
}

type CodeFieldProps = {
  readonly texts: Texts;
  readonly code: Pick<ConfirmView["code"], "expired" | "newCodePossible" | "phoneOf"> & {
    readonly passkey: unknown;
  };
  readonly hint: string;
  readonly fault: FieldFault | undefined;
  readonly children: ReactNode;
};

/** The one-time code, which the browser may fill in from the text message, and what else can be done. */
export function CodeField({ texts, code, hint, fault, children }: CodeFieldProps) {
  const { code: words } = texts;
  const { newCodePossible, phoneOf, passkey } = code;
  return (
    <>
      <TextField
        id="code"
        label={words.label}
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
      <Links>
        {newCodePossible ? (
          <TextButton form={NEW_CODE_FORM}>{words.newCode}</TextButton>
        ) : (
          words.noMore
        )}
        {passkey !== undefined && passkey !== false && (
          <PasskeyButton form={PASSKEY_FORM} label={texts.passkey.submit} kind="text" />
        )}
        {phoneOf !== undefined && <SandboxPhone texts={texts} userId={phoneOf} />}
      </Links>
      <Actions equal>{children}</Actions>
    </>
  );
}

/** That a code has expired is said before it is typed, as long as another can be had. */
function expiry(
  texts: Texts,
  { expired, newCodePossible }: Pick<CodeFieldProps["code"], "expired" | "newCodePossible">,
): FieldFault | undefined {
  if (!expired || !newCodePossible) return undefined;
  return { prefix: texts.frame.errorPrefix, text: texts.code.expired };
}

type SandboxPhoneProps = { readonly texts: Texts; readonly userId: string };

/** The phone of a demo customer; of a real one there is no page. */
function SandboxPhone({ texts, userId }: SandboxPhoneProps) {
  const href = `/sandbox/phone?psu=${encodeURIComponent(userId)}`;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {texts.frame.sandboxPhone}
    </a>
  );
}
