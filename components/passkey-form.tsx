import type { ReactNode } from "react";
import { Button } from "./button";
import { FaultText, FieldError, type FieldFault } from "./field-error";
import { PostForm } from "./post-form";
import { TextButton } from "./text-button";

type Props = {
  readonly id: string;
  readonly action: string;
  readonly token: string;
  /** Has a passkey sign something, or has one made. */
  readonly does?: "use" | "make";
  /** Where the page's script asks what is to be signed, with a token of its own. */
  readonly optionsAt: string;
  readonly optionsToken: string;
  readonly cancelled: string;
  readonly children?: ReactNode;
};

/** The form that the browser's own prompt fills in. Its button is hidden until the script shows it. */
export function PasskeyForm({ id, action, token, cancelled, children, ...asking }: Props) {
  return (
    <>
      <FaultText id={`${id}-cancelled`} role="alert" hidden>
        {cancelled}
      </FaultText>
      <PostForm action={action} token={token} id={id}>
        <input
          type="hidden"
          name="assertion"
          data-passkey={asking.does ?? "use"}
          data-options-at={asking.optionsAt}
          data-options-token={asking.optionsToken}
        />
        {children}
      </PostForm>
    </>
  );
}

type PasskeyButtonProps = {
  readonly form: string;
  readonly label: string;
  readonly kind?: "main" | "text";
};

export function PasskeyButton({ form, label, kind = "main" }: PasskeyButtonProps) {
  const Sends = kind === "main" ? Button : TextButton;
  return (
    <Sends form={form} id="passkey" hidden data-with-passkey="">
      {label}
    </Sends>
  );
}

/** What is still to be said of a passkey where there is none to be used any more. */
export function PasskeyGone({ fault }: { readonly fault: FieldFault | undefined }) {
  if (fault === undefined) return null;
  return (
    <div id="passkey">
      <FieldError id="passkey-error" fault={fault} />
    </div>
  );
}
