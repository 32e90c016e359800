import { FieldError } from "@/components/field-error";
import { PasskeyForm, PasskeyGone } from "@/components/passkey-form";
import type { CodeView } from "@/lib/psu/own-channel/sign-in-view";
import type { Texts } from "@/lib/psu/texts/texts";
import { ownFaultAt } from "../own-channel/own-outcome";

type Props = { readonly texts: Texts; readonly view: CodeView };

export const PASSKEY_FORM = "passkey-form";

/** What the passkey's button needs, and what came of it; nothing for whoever has none. */
export function PasskeyPart({ texts, view }: Props) {
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
