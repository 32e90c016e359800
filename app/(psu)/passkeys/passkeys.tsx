import { Actions, Button, ButtonLink } from "@/components/button";
import { PasskeyForm, PostForm, TextField } from "@/components/form";
import { Detail, Lead, Links, Part } from "@/components/text";
import type { Passkey } from "@/lib/domain/passkeys";
import { dayIn } from "@/lib/domain/values";
import { type PasskeysView, type RemovePasskeyView, removePath } from "@/lib/psu/passkeys";
import { HOME, PASSKEYS } from "@/lib/psu/paths";
import type { Texts } from "@/lib/psu/texts/en";
import { OwnPage, ownFaultAt } from "../own-channel-page";

type Props = { readonly texts: Texts; readonly view: PasskeysView };

/** What confirms in place of a code. */
export function PasskeyList({ texts, view }: Props) {
  const { passkeys: words } = texts;
  const { passkeys, accepted } = view;
  return (
    <OwnPage texts={texts} view={view} path={view.path} heading={words.heading}>
      <Lead>{accepted ? words.lead : words.notAccepted}</Lead>
      {passkeys.length === 0 && <p>{words.none}</p>}
      {passkeys.map((passkey) => (
        <Entry key={passkey.id} texts={texts} view={view} passkey={passkey} />
      ))}
      {accepted && <AddOneMore texts={texts} view={view} />}
      <Links>
        {view.requestPath !== undefined && <a href={view.requestPath}>{words.toRequest}</a>}
        <a href={HOME}>{words.toPermissions}</a>
      </Links>
    </OwnPage>
  );
}

function AddOneMore({ texts, view }: Props) {
  const { passkeys: words } = texts;
  const { passkeys, passkeysMax } = view;
  const Adding = view.mayAdd ? AddPasskey : SignInFirst;
  return (
    <>
      <h2>{words.addHeading}</h2>
      {passkeys.length < passkeysMax ? (
        <Adding texts={texts} view={view} />
      ) : (
        <p>{words.noMore(passkeysMax)}</p>
      )}
    </>
  );
}

function Entry({ texts, view, passkey }: Props & { readonly passkey: Passkey }) {
  const { passkeys: words } = texts;
  const { name, createdAt, lastUsedAt } = passkey;
  const dayOf = (instant: Date) => dayIn(view.timeZone, instant);
  const id = `passkey-${passkey.id}`;
  return (
    <Part id={id} heading={<bdi>{name}</bdi>}>
      <p>
        {words.added(dayOf(createdAt))}
        <Detail>
          {lastUsedAt === undefined ? words.neverUsed : words.lastUsed(dayOf(lastUsedAt))}
        </Detail>
      </p>
      <Links>
        <a href={removePath(passkey)} aria-describedby={id}>
          {words.remove}
        </a>
      </Links>
    </Part>
  );
}

/** Only a browser with JavaScript can make one: without, the page says so. */
function AddPasskey({ texts, view }: Props) {
  const { passkeys: words } = texts;
  const fault = ownFaultAt(texts, view, "passkey-name");
  return (
    <>
      <p data-without-passkey="">{words.needsJavaScript}</p>
      <div hidden data-with-passkey="">
        <PasskeyForm
          id="add-passkey"
          action={`${PASSKEYS}/add`}
          token={view.addToken}
          does="make"
          optionsAt={`${PASSKEYS}/options`}
          optionsToken={view.optionsToken}
          cancelled={words.cancelled}
        >
          <input type="hidden" name="sealed" />
          <input type="hidden" name="back" value={view.path} />
          <TextField
            id="passkey-name"
            label={words.name}
            hint={words.nameHint}
            fault={fault}
            input={{ name: "name", type: "text", maxLength: 40, autoComplete: "off" }}
          />
          <Actions>
            <Button>{words.add}</Button>
          </Actions>
        </PasskeyForm>
      </div>
    </>
  );
}

/** In place of the form when the sign-in is too long ago; it leads back here. */
function SignInFirst({ texts, view }: Props) {
  const { passkeys: words, signIn } = texts;
  return (
    <>
      <p>{words.signInFirst(view.addPasskeyMinutes)}</p>
      <PostForm action="/sign-out/now" token={view.signOutToken}>
        <input type="hidden" name="to" value={view.path} />
        <Actions>
          <Button>{signIn.signInAgain}</Button>
        </Actions>
      </PostForm>
    </>
  );
}

type RemoveQuestionProps = { readonly texts: Texts; readonly view: RemovePasskeyView };

export function RemoveQuestion({ texts, view }: RemoveQuestionProps) {
  const { passkeys: words } = texts;
  const path = removePath(view.passkey);
  const { heading, lead } = words.removing(view.passkey.name, view.means);
  return (
    <OwnPage texts={texts} view={view} path={path} heading={heading}>
      <Lead>{lead}</Lead>
      <PostForm action={`${path}/confirm`} token={view.token}>
        <Actions equal>
          <Button>{words.removeSubmit}</Button>
          <ButtonLink kind="counter" href={PASSKEYS}>
            {words.keep}
          </ButtonLink>
        </Actions>
      </PostForm>
    </OwnPage>
  );
}
