import type { FieldFault } from "@/components/field-error";
import { TextField } from "@/components/text-field";
import type { Texts } from "@/lib/psu/texts/texts";

type Props = {
  readonly texts: Texts;
  readonly hint: string;
  /** Of the last answer. */
  readonly fault: FieldFault | undefined;
  readonly expired: boolean;
  readonly newCodePossible: boolean;
};

/** The one-time code, which the browser may fill in from the text message. */
export function CodeField({ texts, hint, fault, ...code }: Props) {
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
  { expired, newCodePossible }: Pick<Props, "expired" | "newCodePossible">,
): FieldFault | undefined {
  if (!expired || !newCodePossible) return undefined;
  return { prefix: texts.frame.errorPrefix, text: texts.code.expired };
}
