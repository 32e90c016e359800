import { BLOCKED_PAYMENT_LIMIT_MINOR } from "@/lib/core-bank/ledger/core-faults";
import { magicPayments } from "@/lib/core-bank/ledger/magic-payments";
import type { PasskeyVerifier } from "@/lib/domain/passkeys";
import type { Psu, PsuDirectory, TextMessage } from "@/lib/domain/psu";
import { formatAmount } from "@/lib/domain/values";

/** Logins of a namespace's PSUs, which their user IDs begin with. */
const [SCA_FAILS, PASSKEY_FAILS] = ["sca-fails", "passkey-fails"] as const;

type MagicValue = { readonly value: string; readonly what: string };

/** Everything with which a TPP decides in the sandbox what becomes of a call. */
export const magicValues = {
  creditors: magicPayments.map(({ creditorName: value, what }): MagicValue => ({ value, what })),
  amounts: magicPayments.map(
    ({ amountMinor, what }): MagicValue => ({ value: formatAmount(amountMinor), what }),
  ),
  paymentLimits: [
    {
      value: formatAmount(BLOCKED_PAYMENT_LIMIT_MINOR),
      what: "The bank has blocked the PSU in all channels, until it has another limit or none: account data is 403 SERVICE_BLOCKED, there are no funds, and the PSU's pages refuse.",
    },
  ] satisfies readonly MagicValue[],
  logins: [
    {
      value: SCA_FAILS,
      what: "A PSU of your namespace with this login gets codes that are wrong, so that SCA always fails.",
    },
    {
      value: PASSKEY_FAILS,
      what: "The codes of a PSU of your namespace with this login are right, so that it can add a passkey; what it signs with it is never accepted.",
    },
  ] satisfies readonly MagicValue[],
} as const;

/** As it arrives on the phone of this PSU: for one whose SCA is to fail with each digit of the code changed. */
export function asDelivered(message: TextMessage, psu: Psu | undefined): TextMessage {
  const { code, text } = message;
  if (code === undefined || !hasLogin(psu, SCA_FAILS)) return message;
  const wrong = code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  return { ...message, code: wrong, text: text.replaceAll(code, wrong) };
}

/** Accepts no signature of a PSU whose passkeys are to fail; all else is judged as ever. */
export function withFailingPasskeys(
  verifier: PasskeyVerifier,
  psus: Pick<PsuDirectory, "find">,
): PasskeyVerifier {
  return {
    ...verifier,
    verify: async (assertion, expected) =>
      hasLogin(await psus.find(expected.passkey.psuId), PASSKEY_FAILS)
        ? undefined
        : verifier.verify(assertion, expected),
  };
}

function hasLogin(psu: Psu | undefined, login: string): boolean {
  return psu?.userId.startsWith(`${login}-`) === true;
}
