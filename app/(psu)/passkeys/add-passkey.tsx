import { Actions } from "@/components/actions";
import { Button } from "@/components/button";
import { PasskeyForm } from "@/components/passkey-form";
import { TextField } from "@/components/text-field";
import type { PasskeysView } from "@/lib/psu/own-channel/passkeys-view";
import { PASSKEYS } from "@/lib/psu/own-channel/paths";
import type { Texts } from "@/lib/psu/texts/texts";
import { ownFaultAt } from "../own-channel/own-outcome";

type Props = { readonly texts: Texts; readonly view: PasskeysView };

/** Only a browser with JavaScript can make one: without, the page says so. */
export function AddPasskey({ texts, view }: Props) {
  const { passkeys: words } = texts;
  const fault = ownFaultAt({ texts, outcome: view.outcome, frame: view }, "passkey-name");
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
