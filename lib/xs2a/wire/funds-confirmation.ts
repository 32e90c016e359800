import { z } from "zod";
import type { FundsRequest } from "@/lib/domain/funds-confirmation/confirm-funds";
import type { Answer, Form } from "../endpoint";
import { orMissing } from "../parse";
import { currency } from "./account-reference";
import { amountToPay, paymentAccount } from "./payment-fields";
import { plainText } from "./plain-text";

/** The consent is named in a header; where the PSU is does not matter to a till. */
export const fundsHeaders = z.object({
  "consent-id": z.string(orMissing("is not a consent's id")),
});

/** `payee` is for the PSU to read, who is not here: its form is held, and it goes no further. */
export const fundsConfirmationRequest: Form<FundsRequest> = z
  .strictObject(
    {
      account: paymentAccount,
      instructedAmount: z.strictObject(
        { currency, amount: amountToPay },
        orMissing("is not an amount"),
      ),
      cardNumber: plainText(35).exactOptional(),
      payee: plainText(70).exactOptional(),
    },
    {
      error: (issue) =>
        issue.code === "invalid_type" ? "the body is not a JSON object" : undefined,
    },
  )
  .transform(({ account, instructedAmount, cardNumber }) => ({
    account,
    amount: { currency: instructedAmount.currency, minorUnits: instructedAmount.amount },
    ...(cardNumber !== undefined && { cardNumber }),
  }));

/** Exactly this (PSD2 art. 65(3)): no balance, and nothing from which one could be told. */
export function fundsConfirmed(fundsAvailable: boolean): Answer {
  const schema = z.strictObject({ fundsAvailable: z.boolean() });
  return { status: 200, body: { schema, value: { fundsAvailable } } };
}
