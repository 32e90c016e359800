import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { Lead } from "@/components/lead";
import { PasskeyButton, PasskeyForm } from "@/components/passkey-form";
import { PostForm } from "@/components/post-form";
import { TextField } from "@/components/text-field";
import { signInPath } from "@/lib/psu/own-channel/paths";
import type { PasswordView } from "@/lib/psu/own-channel/sign-in-view";
import type { Texts } from "@/lib/psu/texts/texts";
import { ownFaultAt } from "../own-channel/own-outcome";
import { OwnPage } from "../own-channel/own-page";

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
