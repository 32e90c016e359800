import { magicCreditors } from "@/lib/core-bank/ledger/magic-creditors";
import type { Psu, TextMessage } from "@/lib/domain/psu";

/** The login of a namespace's PSU, which its user ID begins with. */
const SCA_FAILS = "sca-fails";

type MagicValue = { readonly value: string; readonly what: string };

/** Everything with which a TPP decides in the sandbox what becomes of a call. */
export const magicValues = {
  creditors: [...magicCreditors].map(([value, { what }]): MagicValue => ({ value, what })),
  logins: [
    {
      value: SCA_FAILS,
      what: "A PSU of your namespace with this login gets codes that are wrong, so that SCA always fails.",
    },
  ] satisfies readonly MagicValue[],
} as const;

/** As it arrives on the phone of this PSU: for one whose SCA is to fail with each digit of the code changed. */
export function asDelivered(message: TextMessage, psu: Psu | undefined): TextMessage {
  const { code, text } = message;
  if (code === undefined || psu?.userId.startsWith(`${SCA_FAILS}-`) !== true) return message;
  const wrong = code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  return { ...message, code: wrong, text: text.replaceAll(code, wrong) };
}
